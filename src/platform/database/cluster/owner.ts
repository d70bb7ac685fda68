import { readFileSync } from 'node:fs';
import { type Owner, run } from './programs.ts';

/**
 * PostgreSQL refuses to run as root, so root lends it the system's `postgres` user and makes that user where there is
 * none.
 */
export async function findUnprivilegedUser(): Promise<Owner> {
  const known = readPasswdEntry('postgres');
  if (known) return known;
  const created = await run(
    '/usr/sbin',
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    null,
  );
  const entry = readPasswdEntry('postgres');
  if (entry) return entry;
  throw new Error(
    `PostgreSQL cannot run as root and no postgres user could be made (${created.output.trim()}): run as another user, or set DATABASE_URL`,
  );
}

function readPasswdEntry(user: string): Owner | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${user}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
