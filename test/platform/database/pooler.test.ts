import { describe, expect, it } from 'vitest';
import { openPool } from '../../../src/platform/database/connection/connection.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { checkDatabase } from '../../../src/app/process/check-database.ts';
import { makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { PGBOUNCER, type Pooler, startPooler } from './pooler.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';
import { Payer, lostOf } from '../../harness/people/payer.ts';
import { run, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { openSink } from '../../harness/sink.ts';

const rail = testRail();

async function through<T>(mode: 'session' | 'transaction', use: (pooler: Pooler) => Promise<T>): Promise<T> {
  const pooler = await startPooler(rail.url, mode);
  try {
    return await use(pooler);
  } finally {
    await pooler.stop();
  }
}

const SESSION = sql`
  select current_user as "user", current_setting('default_transaction_read_only') as "readOnly",
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('jit') as jit from (values (1)) v`;

// `apt-get install pgbouncer` has them run.
describe.skipIf(PGBOUNCER === null)('behind PgBouncer', () => {
  it('in session mode, each kind of work keeps its role, its right to write and its limits', () =>
    through('session', async ({ url }) => {
      await checkDatabase(url);
      const database = openDatabase({ url, replicaUrl: null }, 2, () => {});
      const limited = { statement: '8s', lock: '4s', jit: 'off' };
      const { username: user } = new URL(rail.url);
      try {
        expect(await database.oversight.row(SESSION)).toEqual({
          user: 'rail_oversight',
          readOnly: 'on',
          statement: '30s',
          lock: '4s',
          jit: 'off',
        });
        expect(await database.db.row(SESSION)).toEqual({ user, readOnly: 'on', ...limited });
        expect(await database.audit.row(SESSION)).toEqual({ user, readOnly: 'off', ...limited });
        expect(await database.background.db.row(SESSION)).toEqual({
          user,
          readOnly: 'off',
          statement: '5min',
          lock: '0',
          jit: 'off',
        });
      } finally {
        await database.close();
      }
    }));

  it('in session mode, a rail starts and takes payments', () =>
    through('session', async ({ url }) => {
      const served = await serve('src/app/main.ts', { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'error' });
      try {
        const { key } = await makeActor(rail);
        const services = (await twoLines(rail)).map(({ service }) => service);
        const payer = new Payer({ origins: [served.origin], key, citizen: await someCitizen(rail), services });
        for (let i = 0; i < 3; i++) await payer.pay();
        expect([payer.wrong, payer.acknowledged.confirm.length]).toEqual([[], 3]);
        expect((await fetch(`${served.origin}/readyz`)).status).toBe(200);
      } finally {
        await served.stop();
      }
    }));

  it('in session mode, jobs, questions of oversight and payments go on after it was restarted', { tags: 'long' }, () =>
    through('session', async ({ url, restart }) => {
      const sink = await openSink();
      const env = { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'fatal', WEBHOOK_ALLOW_PRIVATE: '1' };
      const served = await Promise.all([serve('src/app/main.ts', env), serve('src/app/main.ts', env)]);
      const { key, integrator } = await makeActor(rail);
      await giveEndpoint(rail, sql`code = ${integrator}`, sink.url);
      const { plaintext: auditor } = await rail.key('oversight.read');
      const origins = served.map(({ origin }) => origin);
      const services = (await twoLines(rail)).map(({ service }) => service);
      const payers = Array.from(
        { length: 3 },
        async () => new Payer({ origins, key, citizen: await someCitizen(rail), services }),
      );
      const [one, ...others] = await Promise.all(payers);
      let over = false;
      const paying = Promise.all(others.map((payer) => payer.payUntil(() => over)));
      try {
        for (let round = 0; round < 2; round++) {
          // Nobody confirms it: the rail enquires, enters the message and delivers it.
          const { intent } = (await one!.initiate())!;
          await expect.poll(() => sink.received.map(({ json }) => json.data.object.name)).toContain(intent);
          for (const origin of origins) {
            const asked = () =>
              fetch(`${origin}/v1/oversight/revenue?group_by=mda`, { headers: { authorization: `Bearer ${auditor}` } });
            await expect.poll(async () => (await asked()).status).toBe(200);
          }
          await restart();
        }
        over = true;
        await paying;
        const all = [one!, ...others];
        expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
        expect(await lostOf(all, (query, values) => rail.query(query, values))).toEqual([]);
        await expectInvariants(rail);
      } finally {
        over = true;
        await Promise.all(served.map((each) => each.stop()));
        await sink.close();
      }
    }),
  );

  it('in transaction mode, a rail does not start, and says so in one line', { tags: 'long' }, () =>
    through('transaction', async ({ url }) => {
      const ended = await run('src/app/main.ts', [], { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'error' });
      expect(ended).toEqual({
        code: 1,
        output: '',
        errors:
          'The rail does not start. DATABASE_URL: the pooler in between is in transaction mode, and a rail needs sessions of its own; use session mode, or connect directly\n',
      });
    }),
  );
});

describe('a session', () => {
  it('is used for nothing where it does not run as the role that it must', async () => {
    const pool = openPool(rail.url, { name: 'test', work: 'oversight', settings: { role: 'none' } }, 1, () => {});
    try {
      await expect(pool.query('select 1')).rejects.toThrow(/^The session runs as \w+, and must as none$/);
    } finally {
      await pool.end();
    }
  });
});
