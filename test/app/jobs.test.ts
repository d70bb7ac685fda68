import { type JobHelpers, parseCrontab } from 'graphile-worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rail } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { CRONTAB, tasks } from '../../src/app/jobs/tasks.ts';
import { startWorker } from '../../src/app/jobs/worker.ts';
import { makeActor, createSent } from '../harness/flow.ts';
import { signUp } from '../harness/people/accounts.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  worker = await startWorker(rail.rail);
});
afterAll(() => worker.stop());

describe('the job runner', () => {
  it('expires what nobody confirmed, and forgets what is of no use any more', async () => {
    const { intent } = await createSent(rail, await makeActor(rail), '+256700123000');
    await rail.rows(sql`update payment_intent set expires_at = now() - interval '1 second' where name = ${intent}`);
    await rail.rows(sql`
      insert into idempotency (principal, key, fingerprint, request_id, created_at)
        values ('key:X', 'old', '', '', now() - interval '25 hours')`);
    await rail.rows(
      sql`insert into sign_in_quota (address, day, sends, last_sent_at) values ('\\x01', current_date, 1, now() - interval '25 hours')`,
    );
    await rail.rows(
      sql`insert into mailbox_quota (mailbox, day, sends, unknown_sends, last_sent_at) values ('\\x01', current_date, 1, 1, now() - interval '25 hours')`,
    );
    await rail.rows(
      sql`insert into known_network (holder, network, seen_at) values ('\\x01', '\\x01', now() - interval '91 days')`,
    );
    await rail.rows(
      sql`insert into login_failures (address, failures, last_failed_at) values ('\\x01', 1, now() - interval '25 hours')`,
    );
    await rail.rows(sql`
      insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status,
        email_verified, scopes, created_at, updated_at)
      values ('LATE-ABCDEF', 'Late', 'late@example.com', 'Late', 'sandbox', 'free', 'PendingEmail', false, '{}',
        now() - interval '8 days', now())`);
    await rail.rows(
      sql`insert into mail (id, kind, integrator, created_at, expires_at) values (gen_random_uuid(), 'otp', 'LATE-ABCDEF', now(), now())`,
    );
    for (const job of [
      'expire_intents',
      'purge_answers',
      'purge_sessions',
      'purge_accounts',
      'purge_staff',
      'archive_audit',
    ])
      await rail.rows(sql`select graphile_worker.add_job(${job})`);
    const status = async () =>
      (await rail.rows<{ status: string }>(sql`select status from payment_intent where name = ${intent}`))[0]!.status;
    await expect.poll(status).toBe('Expired');
    await expect.poll(() => rail.count(sql`select 1 from idempotency where key = 'old'`)).toBe(0);
    for (const table of [
      sql`sign_in_quota`,
      sql`mailbox_quota`,
      sql`known_network`,
      sql`login_failures`,
      sql`mail`,
      sql`integrator where code = 'LATE-ABCDEF'`,
    ]) {
      await expect.poll(() => rail.count(sql`select 1 from ${table}`)).toBe(0);
    }
    await expect.poll(() => rail.count(sql`select 1 from graphile_worker.jobs`)).toBe(0);
    expect(
      await rail.count(
        sql`select 1 from trace_row where intent = ${intent} and actor = 'job:expire_intents' and kind = 'payment_intent.update'`,
      ),
    ).toBe(1);
  });

  it('has a task for each line of the crontab, and beside them only what is asked for', () => {
    const planned = parseCrontab(CRONTAB);
    expect(Object.keys(tasks(rail.rail)).toSorted()).toEqual(
      [...planned.map(({ task }) => task), 'send_mail'].toSorted(),
    );
    // Even after a clock jumped ahead, only one job of each task waits.
    for (const { task, options } of planned)
      expect(options).toMatchObject({ jobKey: task, jobKeyMode: 'preserve_run_at' });
  });
});

describe('what is forgotten', () => {
  it('goes in batches, and no further once the process stops', async () => {
    await rail.rows(sql`
      insert into login_failures (address, failures, last_failed_at)
      select int4send(n), 1, now() - interval '25 hours' from generate_series(1, 20001) n`);
    const left = () => rail.count(sql`select 1 from login_failures`);
    const stop = new AbortController();
    const stopping: Rail = {
      ...rail.rail,
      db: {
        ...rail.rail.db,
        row: async (query) => {
          const row = await rail.rail.db.row<never>(query);
          if (query.text.includes('login_failures')) stop.abort();
          return row;
        },
      },
    };
    const purge = (of: Rail) => tasks(of)['purge_staff']!({}, { abortSignal: stop.signal } as JobHelpers);
    await purge(stopping);
    expect(await left()).toBe(10_001);
    await purge(stopping);
    expect(await left()).toBe(1);
    await purge(rail.rail);
    expect(await left()).toBe(0);
  });
});

describe('mail', () => {
  /** Runs no jobs. */
  const idle = testRail();

  it('goes before all other jobs that wait', async () => {
    await signUp(idle);
    const [mail] = await idle.rows<{ priority: number }>(sql`
      select priority from graphile_worker.jobs where task_identifier = 'send_mail'`);
    const others = await idle.count(sql`
      select from graphile_worker.jobs where task_identifier <> 'send_mail' and priority <= ${mail!.priority}`);
    expect([mail!.priority < 0, others]).toEqual([true, 0]);
  });
});
