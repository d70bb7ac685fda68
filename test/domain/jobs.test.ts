import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/database/sql.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { newActor, sent } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  worker = await startWorker(rail.rail, rail.url);
});
afterAll(() => worker.stop());

describe('the job runner', () => {
  it('expires what nobody confirmed, and forgets old answers', async () => {
    const { intent } = await sent(rail, await newActor(rail));
    await rail.rows(sql`update payment_intent set expires_at = now() - interval '1 second' where name = ${intent}`);
    await rail.rows(sql`
      insert into idempotency (principal, key, fingerprint, request_id, created_at) values ('key:X', 'old', '', '', now() - interval '25 hours')`);
    for (const job of ['expire_intents', 'purge_answers']) await rail.rows(sql`select graphile_worker.add_job(${job})`);
    const status = async () => (await rail.rows<{ status: string }>(sql`select status from payment_intent where name = ${intent}`))[0]!.status;
    await expect.poll(status, { timeout: 15_000 }).toBe('Expired');
    await expect.poll(() => rail.count(sql`select 1 from idempotency where key = 'old'`), { timeout: 15_000 }).toBe(0);
    expect(await rail.count(sql`select 1 from trace_row where intent = ${intent} and actor = 'job:expire_intents'`)).toBe(1);
  });
});
