import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { AuditTrail } from '../../../src/platform/audit/trail.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { type Database, sql } from '../../../src/platform/database/sql.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { makeActor, createPending } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** Has every insert into the audit log fail as it does where the database shuts down; all else goes on. */
async function loseAudit(): Promise<void> {
  await rail.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'going away' using errcode = '57P01'; end $$`);
  await rail.query(
    'create trigger refuse_audit before insert on audit_log for each row execute function refuse_audit()',
  );
}

const findAudit = () => rail.query('drop function if exists refuse_audit() cascade');

afterEach(findAudit);

const rowsOf = (...ids: string[]) =>
  rail.rows<{ id: string; status: number; endpoint: string; integrator: string | null; actor: string }>(
    sql`select request_id as id, http_status as status, endpoint, integrator, actor from audit_log where request_id = any (${ids}) order by request_id`,
  );

describe('an answer whose audit row cannot be written', () => {
  it(
    'is a 503 with one row, of what was answered and to whom, on each surface; what was changed stays',
    { tags: 'long' },
    async () => {
      const actor = await makeActor(rail);
      const { intent } = await createPending(rail, actor);
      const ids = ['a-rest', 'b-graphql', 'c-page', 'd-read'];
      const [rest, graphql, page, read] = ids as [string, string, string, string];
      const key = randomUUID();
      const initiate = (id: string) =>
        actor.post(
          `/v1/payment-intents/${intent}:initiate`,
          { payer_msisdn: '+256700123456' },
          { 'idempotency-key': key, 'x-request-id': id },
        );
      await rail.rail.audit.flush();
      const used = async () =>
        (
          await rail.rows<{ requests: number }>(
            sql`select requests from daily_usage where integrator = ${actor.integrator}`,
          )
        )[0]!.requests;
      const before = await used();

      await loseAudit();
      const answers = await Promise.all([
        initiate(rest),
        actor.post(
          '/graphql',
          { query: 'mutation { registerCitizen(nin: "CM12345678AUDT") { citizen { id } } }' },
          { 'x-request-id': graphql },
        ),
        rail.ask('/signin', {
          body: 'email=nobody%40example.com',
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': page },
        }),
        actor.ask('/v1/assessments', { headers: { 'x-request-id': read } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
      expect([answers[0].code, answers[1].json.errors[0].extensions.code]).toEqual(['unavailable', 'unavailable']);
      expect(answers[2].headers.get('content-type')).toContain('text/html');

      await findAudit();
      const own = { integrator: actor.integrator, actor: actor.integrator };
      await expect
        .poll(() => rowsOf(...ids))
        .toEqual([
          { id: rest, status: 503, endpoint: 'POST /v1/payment-intents/{name}:initiate', ...own },
          { id: graphql, status: 503, endpoint: 'POST /graphql', ...own },
          { id: page, status: 503, endpoint: 'POST /signin', integrator: null, actor: 'anonymous' },
          { id: read, status: 200, endpoint: 'GET /v1/assessments', ...own },
        ]);
      expect(await used()).toBe(before + 3);

      const again = await initiate('e-again');
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    },
  );
});

describe('the audit trail', () => {
  it('waits for what became of a row that the database took without saying so: what is sent is what it says', async () => {
    const { audit: db, log } = { audit: rail.rail.db, log: createLog('silent') };
    // As often as it tries a group that was not taken.
    let silent = 4;
    const rows: Database['rows'] = async (query) => {
      const taken = await db.rows(query);
      if (silent-- > 0) throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      return taken as never;
    };
    const trail = new AuditTrail({ rows, row: async (query) => (await rows(query))[0] as never }, log, () => []);
    const entry = {
      id: randomUUID(),
      ts: new Date(),
      requestId: 'lost-word',
      endpoint: 'POST /v1/x',
      viewer: actAsSystem('test'),
    };
    await trail.record({ ...entry, httpStatus: 200 });
    expect(silent).toBe(-1);
    expect(await rowsOf('lost-word')).toMatchObject([{ status: 200 }]);
  });

  it('does not wait so where the process is about to stop', async () => {
    let tries = 0;
    const lost = () => {
      tries++;
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    };
    const trail = new AuditTrail({ rows: lost, row: lost }, createLog('silent'), () => []);
    const recording = trail.record({
      id: randomUUID(),
      ts: new Date(),
      requestId: 'stopping',
      endpoint: 'POST /v1/x',
      viewer: actAsSystem('test'),
      httpStatus: 200,
    });
    await Promise.all([expect(recording).rejects.toThrow('terminated'), trail.flush()]);
    // As often as a group that was not taken. Otherwise it is for 15 s; a process that stops has 10.
    expect(tries).toBe(4);
  });
});
