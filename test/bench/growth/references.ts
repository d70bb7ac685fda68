import type pg from 'pg';
import { isNumber } from '../../../src/collection/references/number.ts';
import { CLIENTS, httpClient } from '../clients.ts';
import { repeatedly } from '../flows/flows.ts';
import { ROUNDS, compare, median } from '../measure.ts';
import type { Report } from '../report.ts';
import type { Setting } from '../setting.ts';
import { makeEvents } from './history.ts';

const REFERENCES = 5_000_000;
const EVENTS = 110_000;
const MOST_MS = 20;
/** With as many clients as a rail can bear, each waits for the others: what they wait for is measured elsewhere. */
const AT_A_TIME = 2;
/** With the factor, each number is another one: it has no divisor in common with what there is room for. */
const [FACTOR, ROOM] = [61_803_398_873, 10 ** 11];
/** ISO 7064, MOD 97-10, of the eleven digits before. */
const NUMBER = `select lpad(n::text, 11, '0') || lpad((98 - n * 100 % 97)::text, 2, '0') from (select i::bigint * ${FACTOR} % ${ROOM} as n) drawn`;

const READ = 'select number, amount, currency, status, expires_at from payment_reference where number = $1';

/**
 * Looks references up at a payment point, at random among five million, next to a bare read of one row by its number. Of
 * each assessment one reference is open, and the others were withdrawn.
 */
export async function measureReferences(report: Report, setting: Setting, seconds: number): Promise<void> {
  report.begin(`references. Look-ups among ${REFERENCES.toLocaleString('en')} payment references`);
  const env = { DATABASE_URL: await makeEvents(setting.cluster, EVENTS), JOBS: 'off', DATABASE_POOL: String(CLIENTS) };
  const db = setting.pool(env, CLIENTS);
  await fill(db);
  const drawn = await db.query<{ number: string }>(
    'select number from payment_reference tablesample system (1) order by random() limit 50000',
  );
  const numbers = drawn.rows.map(({ number }) => number);
  const next = () => numbers[Math.floor(Math.random() * numbers.length)]!;
  if (!numbers.every(isNumber)) throw new Error('The numbers that were made have wrong check digits');

  const rail = await setting.serve('src/app/main.ts', { ...env, RATE_LIMIT_ANONYMOUS: '10000000' });
  const client = httpClient(rail.origin, null);
  setting.closeWith(() => client.close());
  const lookUp = repeatedly(async () => {
    const answer = (await client.post('/v1/billers/bank/lookup', { reference: next() })) as { data: { state: string } };
    if (answer.data.state === 'unknown') throw new Error('A reference was not found');
  }, AT_A_TIME);
  const read = repeatedly(async () => {
    const { rows } = await db.query({ name: 'read', text: READ, values: [next()] });
    if (rows.length !== 1) throw new Error('A reference was not found');
  }, AT_A_TIME);
  const p99s: number[] = [];
  await compare(report, {
    what: 'look-up of a reference',
    ours: {
      label: 'rail',
      cpuMs: rail.cpuMs,
      run: async (milliseconds) => {
        const run = await lookUp(milliseconds);
        p99s.push(run.p99Ms);
        return run;
      },
    },
    peers: [{ label: 'bare read through pg', cpuMs: () => process.cpuUsage().user / 1_000, run: read, bounds: {} }],
    seconds,
    database: setting,
  });
  const rounds = p99s.slice(-ROUNDS);
  const range = [Math.min(...rounds), Math.max(...rounds)] as const;
  const target = { atMost: MOST_MS };
  report.judge({ what: 'look-up of a reference, p99', figure: median(rounds), unit: 'ms', range, target });
}

/** As many references as the assessments of a history share; nothing that holds for each is checked again. */
async function fill(db: pg.Pool): Promise<void> {
  const { rows } = await db.query<{ filled: boolean }>('select exists (select from payment_reference) as filled');
  if (rows[0]!.filled) return;
  await db.query(`
    begin;
    set local session_replication_role = replica;
    create temporary table owed on commit drop as
      select row_number() over () as at, name, integrator, total_amount, currency from assessment where total_amount > 0;
    create unique index on owed (at);
    analyze owed;
    insert into payment_reference (number, assessment, integrator, amount, currency, status, expires_at, revision, created_at, updated_at)
    select (${NUMBER}), a.name, a.integrator, a.total_amount, a.currency,
      case when i <= most then 'Issued' else 'Withdrawn' end::payment_reference_status, now() + interval '21 days', 1, now(), now()
    from (select i, most, 1 + i % most as at from generate_series(1, ${REFERENCES}) i, (select max(at) as most from owed) m) i
    join owed a using (at)
    on conflict do nothing;
    commit;
    analyze payment_reference;`);
}
