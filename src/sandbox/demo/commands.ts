import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs an operator's command on the database of this environment, or of another, and answers what it printed.
 */
export async function runCommand(args: readonly string[], env?: Environment): Promise<string> {
  const script = fileURLToPath(new URL('../../app/cli/admin.ts', import.meta.url));
  process.stdout.write(`$ npm run admin -- ${args.join(' ')}\n\n`);
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env: env && { ...env } });
  return stdout;
}

/** The same, for a command that answers JSON. */
export async function runAdmin<Value>(args: readonly string[], env?: Environment): Promise<Value> {
  return JSON.parse(await runCommand([...args, '--json'], env)) as Value;
}
