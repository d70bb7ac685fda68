import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Definition, listDefinitions } from '../../../src/platform/database/migration/definitions.ts';
import { isContract, listMigrations } from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { LATER } from '../../harness/run/versions.ts';

const INTENTS = 1_000_000;
const LONGEST_WAIT_MS = 1_000;

const [baseline, ...since] = listMigrations();
/** The migrations since the first release, and those of a version after this one that expand the schema. */
const later = [...since, ...LATER].filter(({ name }) => !isContract(name));
/** Tables and columns that came with them. */
const made = (form: RegExp) => later.flatMap(({ sql }) => [...sql.matchAll(form)].map(([, name]) => name!));
const tables = made(/create table (\w+)/g);
const columns = made(/add column (?:if not exists )?(\w+)/g);

/** The definitions of a database without those, each in a text that has changed since. */
function listEarlier(): Definition[] {
  const names = new RegExp(`\\b(${tables.join('|')})\\b|(old|new)\\.(${columns.join('|')})\\b`);
  return listDefinitions()
    .filter(({ kind, object, sql }) => !tables.includes(object) && (kind === 'functions' || !names.test(sql)))
    .map((definition) => ({ ...definition, hash: 'before' }));
}

let postgres: OwnPostgres;
const clients: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  postgres = await OwnPostgres.start();
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await postgres.remove();
});

it('lets payments of a million intents go on: none waits for a second', async () => {
  await migrate(postgres.url, { migrations: [baseline!], definitions: listEarlier() });
  const db = await connect();
  // The assessments of these intents do not exist: no migration may read them.
  await db.query(`
    set session_replication_role = replica;
    insert into payment_intent (name, assessment, channel, status, amount, currency, aggregator, aggregator_reference,
      revision, expires_at, created_at, updated_at)
    select 'PI-2026-01-' || lpad(n::text, 7, '0'), 'ASMT-2026-01-' || lpad(n::text, 7, '0'), 'mtn_momo', 'Pending', 1000,
      'UGX', 'mtn_momo', 'R-' || n, 1, now(), now(), now()
    from generate_series(1, ${INTENTS}) n;
    reset session_replication_role;
    analyze payment_intent`);

  const over = new AbortController();
  const writer = await connect();
  const waits: number[] = [];
  const writing = (async () => {
    while (!over.signal.aborted) {
      const name = `PI-2026-01-${String(1 + Math.floor(Math.random() * INTENTS)).padStart(7, '0')}`;
      const from = performance.now();
      const { rowCount } = await writer.query(
        'update payment_intent set enquiries = enquiries + 1, updated_at = now() where name = $1',
        [name],
      );
      waits.push(performance.now() - from);
      expect(rowCount).toBe(1);
      await sleep(1);
    }
  })();
  await sleep(1_000);
  const before = waits.length;
  const applied = await migrate(postgres.url, { migrations: [baseline!, ...later], definitions: listDefinitions() });
  const during = waits.length - before;
  over.abort();
  await writing;

  expect(applied).toEqual(expect.arrayContaining(later.map(({ name }) => name)));
  const { rows } = await db.query<{ sum: number }>('select sum(enquiries)::int as sum from payment_intent');
  expect(rows[0]!.sum).toBe(waits.length);
  expect(during).toBeGreaterThan(10);
  const longest = Math.max(...waits);
  process.stdout.write(
    `the longest of ${waits.length} updates, ${during} of them during the upgrade, took ${Math.round(longest)} ms\n`,
  );
  expect(longest).toBeLessThan(LONGEST_WAIT_MS);
});
