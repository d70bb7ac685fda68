import { mkdirSync, writeFileSync } from 'node:fs';
import { PROVIDERS } from '../../adapters/payment/providers.ts';
import { describeFile } from '../../platform/config/connections.ts';
import { environment } from '../../platform/config/environment.ts';
import { z } from '../../kernel/zod.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Every variable of the environment with its meaning and default, for a file that shells, systemd and containers read. */
export function printEnvironment(): string {
  const variables = Object.entries(environment.shape).map(
    ([name, check]) => `# ${name}: ${check.description}\n#${name}=${plain(formatDefault(check))}`,
  );
  const secrets = PROVIDERS.map(({ name }) => `#WEBHOOK_SECRET_${name.toUpperCase()}=`);
  return `${[
    '# Settings of a rail. Copy this file to where only its user can read it, and remove the # before what you set.\n# systemd and containers take the file as it is, a shell by: set -a && . ./rail.env && set +a\n# They read values alike that have no spaces and quotes, and comments on lines of their own.',
    ...variables,
    `# Secrets of inbound callbacks, each of 16 characters or more, by the name of a provider or a connection.\n${secrets.join('\n')}`,
  ].join('\n\n')}\n`;
}

/** JSON Schema of a `CONNECTIONS` file, for editors and other tools. */
export function printConnectionsSchema(): string {
  const schema = z.toJSONSchema(describeFile('.', PROVIDERS), { io: 'input' });
  return `${JSON.stringify({ title: 'Connections of a rail', ...schema }, null, 2)}\n`;
}

/** The default of a variable as the environment has it. */
export function formatDefault(check: (typeof environment.shape)[keyof typeof environment.shape]): string {
  const value = check.parse(undefined);
  if (value === undefined) return '';
  // OpenTelemetry has words of its own.
  if (typeof value === 'boolean' && check.safeParse('on').data === true) return value ? 'on' : 'off';
  return String(value);
}

/** A value that shells, systemd and containers read alike. None of them takes the same quotes as the others. */
const plain = (text: string) => (/^[\w.,:/-]*$/.test(text) ? text : '');

if (import.meta.main) {
  mkdirSync(new URL('deploy/', ROOT), { recursive: true });
  writeFileSync(new URL('.env.example', ROOT), printEnvironment());
  writeFileSync(new URL('deploy/connections.schema.json', ROOT), printConnectionsSchema());
}
