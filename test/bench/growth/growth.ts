import pg from 'pg';
import { Pool } from 'undici';
import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { capture, serve } from '../../harness/processes.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { type Facts, LARGEST, findFacts } from './facts.ts';
import { type Asker, type Operation, QUESTIONS, type Question, questionOf } from './questions.ts';

/** What a question may take on the large history: so many times as long as on the small one, or so many milliseconds. */
const MOST_TIMES = 1.5;
const MOST_MS = 20;
/** Assessments of the small history. */
const FEW = 3_000;
const SAMPLES = 30;
const WARM_UP = 4;
/** Beyond it a question gets no further samples: what is this slow has missed its target whatever they would be. */
const PATIENCE_MS = 60_000;

const ADMIN = 'src/app/cli/admin.ts';
const SCOPES = 'citizens.read,assessments.read,assessments.write,payments.initiate';
const PASSWORD = 'correct horse battery';

/** A history that is asked, by everybody who asks. */
interface Asked {
  readonly facts: Facts;
  /** Asks once, reads the answer whole, and says how many milliseconds that took. */
  ask(asker: Asker, path: string): Promise<number>;
  operations(): Promise<readonly Operation[]>;
  close(): Promise<void>;
}

/**
 * Asks every question whose name `only` fits of a small history and of one of so many assessments, in turns, and says
 * how much longer the large one takes.
 */
export async function measureGrowth(report: Report, cluster: Cluster, assessments: number, only: RegExp) {
  report.begin('Growth: lists, searches and filters, and what oversight asks');
  const urls = { small: await makeHistory(cluster, FEW), large: await makeHistory(cluster, assessments) };
  const opened: Asked[] = [];
  const open = async (url: string): Promise<Asked> => {
    const asked = await openHistory(url);
    opened.push(asked);
    return asked;
  };
  try {
    const [small, large] = [await open(urls.small), await open(urls.large)];
    const operations = await small.operations();
    const questions = [...QUESTIONS, ...operations.map(questionOf)].filter(({ what }) => only.test(what));
    // A question that is asked wrongly fails at once.
    for (const { asker, path } of questions) await small.ask(asker, path(small.facts));
    const rows: Cell[][] = [];
    for (const question of questions) rows.push(await compareSizes(report, question, small, large));
    report.table(['question', 'small p50', 'p95', 'large p50', 'p95', '×', 'samples'], rows);
  } finally {
    for (const asked of opened) await asked.close();
  }
}

/**
 * The database of a history of so many assessments, with all that a rail writes beside payments; made unless it is there
 * already, whole.
 */
async function makeHistory(cluster: Cluster, assessments: number): Promise<string> {
  const name = `assessments_${assessments}`;
  await cluster.ensureDatabase(name);
  const url = cluster.url(name);
  if (await isMade(url)) return url;
  const args = ['seed:history', '--whole', '--events', String(Math.round(assessments * 1.1))];
  const output = await capture(ADMIN, args, { DATABASE_URL: url });
  process.stdout.write(`  ${assessments.toLocaleString('en')} assessments: ${output.trim().split('\n').at(-1)}\n`);
  return url;
}

/** Whether a database has a history whose last step, sealing, was done. */
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

async function compareSizes(report: Report, { asker, what, path }: Question, small: Asked, large: Asked) {
  const took: Record<'small' | 'large', number[]> = { small: [], large: [] };
  const until = performance.now() + PATIENCE_MS;
  for (let turn = 0; turn < WARM_UP + SAMPLES && performance.now() < until; turn++) {
    const pair = {
      small: await small.ask(asker, path(small.facts)),
      large: await large.ask(asker, path(large.facts)),
    };
    // The first ones plan statements and fill caches; of a slow question they count all the same.
    if (turn >= WARM_UP || performance.now() > until) {
      took.small.push(pair.small);
      took.large.push(pair.large);
    }
  }
  const times = median(took.large) / median(took.small);
  const met = times <= MOST_TIMES || median(took.large) <= MOST_MS;
  const target = { words: `${MOST_TIMES} × or ${MOST_MS} ms`, met };
  report.judge({ what: `${what} at ${median(took.large).toFixed(1)} ms`, figure: times, unit: '×', target });
  const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
  return [what, median(took.small), p95(took.small), median(took.large), p95(took.large), times, took.large.length];
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

async function openHistory(url: string): Promise<Asked> {
  const env = { DATABASE_URL: url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' };
  const issue = async (scopes: string) => {
    const args = ['key:issue', '--integrator', LARGEST, '--scopes', scopes, '--json'];
    return (JSON.parse(await capture(ADMIN, args, env)) as { plaintext: string }).plaintext;
  };
  await dropEarlierKeys(url);
  const keys = { integrator: await issue(SCOPES), auditor: await issue('oversight.read,oversight.audit') };
  const email = 'bench@history.example';
  const roles = ['--role', 'admin,system_manager,supervisor'];
  await capture(ADMIN, ['staff:add', '--email', email, '--name', 'Bench', ...roles, '--password', PASSWORD], env);
  const rail = await serve('src/app/main.ts', env);
  const pool = new Pool(rail.origin, { connections: 2, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

  const headers: Record<Asker, Record<string, string>> = {
    integrator: { authorization: `Bearer ${keys.integrator}` },
    auditor: { authorization: `Bearer ${keys.auditor}` },
    staff: { cookie: await logIn(pool, email) },
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
      // What takes too long is ended by the database, and answered as a refusal.
      if (statusCode !== 200 && statusCode !== 503) throw new Error(`${path}: ${statusCode} ${text}`);
      return took;
    },
    operations: async () =>
      (JSON.parse((await get('auditor', '/graphql/operations')).text) as { data: Operation[] }).data,
    close: async () => {
      await pool.close();
      await rail.stop();
    },
  };
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
