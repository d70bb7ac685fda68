import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Named {
  readonly name: string;
}

/** Makes a call, prints it with its answer, and answers its data. */
export type Calling = <Data>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Data>;

interface Answered {
  readonly data: unknown;
  /** What the answer set, as later requests send it. */
  readonly cookie: string | null;
}

/** Makes a call with a credential, and answers what came of it; anything but a success is thrown. */
export async function ask(
  base: string,
  credential: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: object,
): Promise<Answered> {
  const response = await fetch(base + path, {
    method,
    headers: { ...credential, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown };
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status} ${JSON.stringify(answer)}`);
  const [cookie] = response.headers.getSetCookie();
  return { data: answer.data, cookie: cookie?.split(';')[0] ?? null };
}

/** A caller with a credential that prints what it does. */
export function printCalls(base: string, credential: Readonly<Record<string, string>>): Calling {
  return async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
    process.stdout.write(`${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}\n`);
    const { data } = await ask(base, credential, method, path, body);
    process.stdout.write(`${JSON.stringify(data, null, 2)}\n\n`);
    return data as Data;
  };
}

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
export async function runAdmin<Value>(...args: readonly string[]): Promise<Value> {
  return JSON.parse(await runCommand([...args, '--json'])) as Value;
}
