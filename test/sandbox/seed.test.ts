import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/platform/database/migration/migrate.ts';
import { type Reach, openDatabase } from '../../src/platform/database/open-database.ts';
import { type Database, sql } from '../../src/platform/database/sql.ts';
import { seedSandbox } from '../../src/sandbox/seed.ts';

const WHOLE = { agencies: 21, services: 104, citizens: 20, nameless: 0 };
const EMPTY = { agencies: 0, services: 0, citizens: 0, nameless: 0 };

const maintain = async (statement: string) => {
  const client = new pg.Client({ connectionString: inject('clusterUrl').replace('DATABASE', 'postgres') });
  await client.connect();
  await client.query(statement);
  await client.end();
};

let name: string;
let first: ReturnType<typeof openDatabase>;
let second: ReturnType<typeof openDatabase>;

beforeEach(async () => {
  name = `t_${randomBytes(8).toString('hex')}`;
  await maintain(`create database ${name}`);
  const url = inject('clusterUrl').replace('DATABASE', name);
  await migrate(url);
  [first, second] = [1, 2].map(() => openDatabase({ url, replicaUrl: null }, 2, () => {})) as [
    typeof first,
    typeof second,
  ];
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await maintain(`drop database ${name} with (force)`);
});

const now = () => new Date('2026-11-22T10:00:00Z');
const seed = ({ transaction }: Pick<Reach, 'transaction'>) => seedSandbox({ transaction, now });
const found = () =>
  first.db.row(sql`
    select (select count(*)::int from mda) as agencies, (select count(*)::int from service) as services,
      (select count(*)::int from citizen) as citizens,
      (select count(*)::int from service where name !~ '^SVC-') as nameless`);

/** Runs transactions whose connection is lost before their nth statement, as it is where the process is killed. */
function dyingAt(nth: number): Pick<Reach, 'transaction'> {
  let statements = 0;
  return {
    transaction: (run) =>
      first.transaction((db) => {
        const rows = async <Row>(query: Parameters<Database['rows']>[0]): Promise<Row[]> => {
          if (statements++ === nth) await db.rows(sql`select pg_terminate_backend(pg_backend_pid())`);
          return db.rows<Row>(query);
        };
        return run({
          rows,
          row: async <Row>(query: Parameters<Database['row']>[0]) => (await rows<Row>(query))[0] ?? null,
        });
      }),
  };
}

describe('the first start of a sandbox', () => {
  it('leaves it empty wherever it dies, and the next start fills it', { tags: 'long' }, async () => {
    let deaths = 0;
    for (let nth = 0; ; nth++) {
      const died = await seed(dyingAt(nth)).then(
        () => false,
        () => true,
      );
      if (!died) break;
      deaths++;
      expect(await found()).toEqual(EMPTY);
    }
    expect(deaths).toBeGreaterThan(8);
    expect(await found()).toEqual(WHOLE);
  });

  it('fills it once where two processes start together', async () => {
    await Promise.all([seed(first), seed(second), seed(first)]);
    expect(await found()).toEqual(WHOLE);
    await seed(second);
    expect(await found()).toEqual(WHOLE);
  });
});
