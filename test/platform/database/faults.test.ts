import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { explain } from '../../../src/graphql/errors.ts';
import { statusOf } from '../../../src/kernel/refusal.ts';
import { createAssessed, draft, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const UNAVAILABLE = 503;

/** The status of the answer for each SQLSTATE of PostgreSQL. */
const ANSWERS: Readonly<Record<string, number>> = {
  '08000': UNAVAILABLE,
  '08003': UNAVAILABLE,
  '08006': UNAVAILABLE,
  '25006': UNAVAILABLE,
  '25P03': UNAVAILABLE,
  '28P01': UNAVAILABLE,
  '3D000': UNAVAILABLE,
  '40001': UNAVAILABLE,
  '40003': UNAVAILABLE,
  '40P01': UNAVAILABLE,
  '53000': UNAVAILABLE,
  '53100': UNAVAILABLE,
  '53200': UNAVAILABLE,
  '53300': UNAVAILABLE,
  '53400': UNAVAILABLE,
  '55P03': UNAVAILABLE,
  '57014': UNAVAILABLE,
  '57P01': UNAVAILABLE,
  '57P02': UNAVAILABLE,
  '57P03': UNAVAILABLE,
  '57P05': UNAVAILABLE,
  '58030': UNAVAILABLE,
  '22001': 422,
  '22003': 422,
  '22007': 422,
  '22008': 422,
  '22021': 422,
  '22P02': 422,
  '22P05': 422,
  '22012': 500,
  '22023': 500,
  '23502': 500,
  '23503': 500,
  '23505': 500,
  '23514': 500,
  '42501': 500,
  '42P01': 500,
  P0001: 500,
  XX000: 500,
  XX001: 500,
};

describe('what PostgreSQL says', () => {
  it.each(Object.entries(ANSWERS))('%s is answered with %i, by whichever way it comes', async (code, status) => {
    const { log } = rail.rail;
    const prisma = await rail.rail.prisma();
    await prisma.$executeRawUnsafe(`
      create or replace function fail(code text) returns text language plpgsql as $$ begin raise exception 'said' using errcode = code; end $$`);
    const errors = await Promise.all(
      [rail.rows(sql`select fail(${code})`), prisma.$queryRawUnsafe(`select fail('${code}')`)].map((asked) =>
        asked.catch((error: unknown) => error),
      ),
    );
    const answers = errors.map((error) => explain(error, { log, requestId: randomUUID() }));
    expect(answers.map((answer) => statusOf[answer.code])).toEqual([status, status]);
    // The message reveals nothing internal.
    for (const { message } of answers) expect(message).not.toMatch(/said|select|Prisma/);
  });
});

/** Has the next changes, of assessments if not said otherwise, fail as PostgreSQL would until it is undone. */
async function failing(
  code: string,
  times = 1_000,
  { table, event } = { table: 'assessment', event: 'update' },
): Promise<{ undo(): Promise<void> }> {
  await rail.rows(sql`create sequence failures maxvalue ${raw(String(1_000_000))}`);
  await rail.query(`
    create function fail_change() returns trigger language plpgsql as $$
    begin
      if nextval('failures') <= ${times} then raise exception 'said' using errcode = '${code}'; end if;
      return new;
    end $$`);
  await rail.query(
    `create trigger fail_change before ${event} on ${table} for each row execute function fail_change()`,
  );
  return {
    undo: async () => {
      await rail.query(`drop trigger fail_change on ${table}`);
      await rail.query('drop function fail_change');
      await rail.query('drop sequence failures');
    },
  };
}

describe('a change that PostgreSQL cancels', () => {
  it.each(['57014', '53100', '25006', '55P03'])('is 503 with %s, and is not kept for repetitions', async (code) => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    const { undo } = await failing(code);
    const key = { 'idempotency-key': randomUUID() };
    const first = await actor.post(`/v1/assessments/${name}:assess`, {}, key);
    await undo();
    expect(first).toMatchObject({ status: 503, code: 'unavailable' });
    expect(first.headers.get('retry-after')).toMatch(/^\d+$/);
    const again = await actor.post(`/v1/assessments/${name}:assess`, {}, key);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
  });

  it('is not kept over GraphQL either', async () => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    const { undo } = await failing('57014');
    const headers = { 'idempotency-key': randomUUID() };
    const body = { query: `mutation { assessAssessment(id: "${name}") { status } }` };
    const first = await actor.post('/graphql', body, headers);
    await undo();
    expect(first.json.errors[0].extensions.code).toBe('unavailable');
    expect(first.headers.get('retry-after')).toBe('5');
    const again = await actor.post('/graphql', body, headers);
    expect(again.json.data).toEqual({ assessAssessment: { status: 'Assessed' } });
    expect(again.json.errors).toBeUndefined();
  });
});

describe('a change that loses against another', () => {
  it.each(['40001', '40P01'])('is tried again after %s, and nobody notices', async (code) => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    const { undo } = await failing(code, 2);
    const answer = await actor.post(`/v1/assessments/${name}:assess`);
    await undo();
    expect(answer).toMatchObject({ status: 200, data: { status: 'Assessed' } });
  });

  it.each(['reconciliation_run', 'reconciliation_item'])(
    'is tried again with its whole transaction, by what it writes to %s',
    async (table) => {
      const admin = await makeStaff(rail, 'admin');
      const { undo } = await failing('40P01', 2, { table, event: 'insert' });
      const answer = await admin.ask('/v1/ops/reconciliation/statements?provider=card', {
        body: 'tx_ref,amount,currency,status,flw_ref,created_at\nA-1,5,UGX,successful,F1,2020-01-01\n',
        headers: { 'content-type': 'text/csv' },
      });
      await undo();
      expect(answer).toMatchObject({ status: 200, data: { missing_here: 1 } });
      expect(await rail.count(sql`select 1 from reconciliation_item where run = ${answer.data.name}`)).toBe(1);
    },
  );

  it('is 503 where it never wins', { tags: 'long' }, async () => {
    const actor = await makeActor(rail);
    const name = await createAssessed(rail, actor);
    const { undo } = await failing('40001');
    const answer = await actor.post(`/v1/assessments/${name}:cancel`, { reason: 'Never mind' });
    await undo();
    expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
  });
});
