import pg from 'pg';
import { Pool } from 'undici';
import { ROLES } from '../../../src/platform/access/needs.ts';
import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { type Served, capture, serve } from '../../harness/processes.ts';
import { type Facts, LARGEST, findFacts } from './facts.ts';
import type { Asker, Operation } from './questions.ts';

const ADMIN = 'src/app/cli/admin.ts';
const SCOPES = 'citizens.read,assessments.read,assessments.write,payments.initiate';
const PASSWORD = 'correct horse battery';

/** A history that is asked, by everybody who asks. */
export interface Asked {
  readonly facts: Facts;
  /** Asks once, reads the answer whole, and says how many milliseconds that took. */
  ask(asker: Asker, path: string): Promise<number>;
  /** Takes a file and forgets it as it comes: its bytes, and the milliseconds until the first and until the last. */
  take(asker: Asker, path: string, accept: string): Promise<{ bytes: number; firstMs: number; ms: number }>;
  /** Memory of the process that answers, in MiB. */
  memoryMiB(): number;
  operations(): Promise<readonly Operation[]>;
  close(): Promise<void>;
}

/**
 * The database of a history of so many assessments, with all that a rail writes beside payments; made unless it is there
 * already, whole.
 */
export async function makeHistory(cluster: Cluster, assessments: number): Promise<string> {
  const name = `assessments_${assessments}`;
  await cluster.ensureDatabase(name);
  const url = cluster.url(name);
  if (await isMade(url)) return url;
  const args = ['seed:history', '--whole', '--events', String(Math.round(assessments * 1.1))];
  const output = await capture(ADMIN, args, { DATABASE_URL: url });
  process.stdout.write(`  ${assessments.toLocaleString('en')} assessments: ${output.trim().split('\n').at(-1)}\n`);
  return url;
}

/** The database of a history of so many payment events alone; made unless it is there already. */
export async function makeEvents(cluster: Cluster, events: number): Promise<string> {
  const name = `events_${events}`;
  await cluster.ensureDatabase(name);
  const url = cluster.url(name);
  if (await hasEvents(url)) return url;
  const output = await capture(ADMIN, ['seed:history', '--events', String(events)], { DATABASE_URL: url });
  process.stdout.write(`  ${events.toLocaleString('en')} events: ${output.trim().split('\n').at(-2)}\n`);
  return url;
}

/** True if a database has a history. One that was interrupted has a tail without places in the stream. */
async function hasEvents(url: string): Promise<boolean> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const tables = await db.query<{ made: boolean }>("select to_regclass('oversight_tail') is not null as made");
    if (!tables.rows[0]!.made) return false;
    const { rows } = await db.query<{ made: boolean }>(
      'select exists (select from payment_event) and not exists (select from oversight_tail) as made',
    );
    return rows[0]!.made;
  } finally {
    await db.end();
  }
}

/** True if a database has a history whose last step, sealing, was done. */
async function isMade(url: string): Promise<boolean> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const tables = await db.query<{ made: boolean }>("select to_regclass('seal_salt') is not null as made");
    if (!tables.rows[0]!.made) return false;
    const { rows } = await db.query<{ made: boolean }>(
      'select exists (select from seal_salt) and not exists (select from unsealed_event) as made',
    );
    return rows[0]!.made;
  } finally {
    await db.end();
  }
}

/** Makes room for keys, of which an account has so many at most: a kept history has those of earlier times. */
async function dropEarlierKeys(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      `update api_key set status = 'revoked', revoked_at = now(), revoked_reason = 'Of an earlier bench'
       where integrator = $1 and status <> 'revoked' and issued_by = 'command line'`,
      [LARGEST],
    );
  } finally {
    await client.end();
  }
}

/** A rail on a history, and a member of staff who may see all of it. */
export interface Opened {
  readonly rail: Served;
  readonly pool: Pool;
  /** The session of a member of staff. */
  readonly cookie: string;
  close(): Promise<void>;
}

const envOf = (url: string) => ({ DATABASE_URL: url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' });

/** Starts a rail on a history, and logs staff in. */
export async function openRail(url: string): Promise<Opened> {
  const env = envOf(url);
  const email = 'bench@history.example';
  const roles = ['--role', ROLES.join(',')];
  await capture(ADMIN, ['staff:add', '--email', email, '--name', 'Bench', ...roles, '--password', PASSWORD], env);
  const rail = await serve('src/app/main.ts', env);
  const pool = new Pool(rail.origin, { connections: 2, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const close = async () => {
    await pool.close();
    await rail.stop();
  };
  return { rail, pool, cookie: await logIn(pool, email), close };
}

/** A rail on a history, and whoever asks it. */
export async function openHistory(url: string): Promise<Asked> {
  const issue = async (scopes: string) => {
    const args = ['key:issue', '--integrator', LARGEST, '--scopes', scopes, '--json'];
    return (JSON.parse(await capture(ADMIN, args, envOf(url))) as { plaintext: string }).plaintext;
  };
  await dropEarlierKeys(url);
  const keys = { integrator: await issue(SCOPES), auditor: await issue('oversight.read,oversight.audit') };
  const { rail, pool, cookie, close } = await openRail(url);

  const headers: Record<Asker, Record<string, string>> = {
    integrator: { authorization: `Bearer ${keys.integrator}` },
    auditor: { authorization: `Bearer ${keys.auditor}` },
    staff: { cookie },
  };
  const get = async (asker: Asker, path: string) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: headers[asker] });
    return { statusCode, text: await body.text() };
  };
  return {
    facts: await findFacts(url),
    ask: async (asker, path) => {
      const from = performance.now();
      const { statusCode, text } = await get(asker, path);
      const took = performance.now() - from;
      if (!isAnswer(statusCode, text)) throw new Error(`${path}: ${statusCode} ${text}`);
      return took;
    },
    take: async (asker, path, accept) => {
      const from = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { ...headers[asker], accept } });
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`);
      const firstMs = performance.now() - from;
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) bytes += chunk.length;
      return { bytes, firstMs, ms: performance.now() - from };
    },
    memoryMiB: () => rail.memoryMiB(),
    operations: async () =>
      (JSON.parse((await get('auditor', '/graphql/operations')).text) as { data: Operation[] }).data,
    close,
  };
}

/**
 * True if a question was answered, or ended by the database because it took too long. Any other answer means that it
 * was asked wrongly.
 */
function isAnswer(statusCode: number, text: string): boolean {
  if (statusCode !== 200) return statusCode === 503;
  const { errors } = JSON.parse(text) as { errors?: readonly { message: string }[] };
  return errors === undefined || errors.every(({ message }) => /takes too long/.test(message));
}

async function logIn(pool: Pool, email: string): Promise<string> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/v1/work/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const text = await body.text();
  const [line] = [headers['set-cookie'] ?? []].flat();
  if (statusCode !== 200 || !line) throw new Error(`logging in: ${statusCode} ${text}`);
  return line.split(';')[0]!;
}
