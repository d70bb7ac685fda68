import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { hasten } from '../../src/app/jobs/hasten.ts';
import { hastenJobs } from '../../src/app/jobs/queue.ts';
import { relay } from '../../src/accounts/webhooks/relay.ts';
import { claimDueMessages } from '../../src/accounts/webhooks/send.ts';
import { type Actor, createConfirmed, createSent, makeActor } from '../harness/flow.ts';
import { giveEndpoint, makeAccount, signUp } from '../harness/people/accounts.ts';
import { logIn, makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' });

/** Does something while the clock is two hours ahead, and sets it right. */
async function ahead<T>(work: () => Promise<T>): Promise<T> {
  rail.advance(2);
  try {
    return await work();
  } finally {
    rail.advance(-2);
  }
}

describe('after a clock was set back by two hours', () => {
  it('another code is mailed a minute after the last, and not two hours', async () => {
    const { data } = await ahead(() => signUp(rail));
    const resend = () => rail.ask('/v1/signup/resend-otp', { body: { integrator_id: data.integrator_id } });
    expect((await resend()).status).toBe(200);
    expect((await resend()).status).toBe(429);
  });

  it('so is another link to sign in', async () => {
    const { email } = await makeAccount(rail);
    const request = () => rail.ask('/v1/login/request', { body: { email } });
    await ahead(request);
    const links = () =>
      rail.count(sql`
        select from magic_link where integrator = (select code from integrator where contact_email = ${email})`);
    const before = await links();
    await request();
    expect(await links()).toBe(before + 1);
  });

  it('a login is not locked for longer than 15 minutes', async () => {
    const { email } = await makeStaff(rail, 'clerk');
    await ahead(async () => {
      for (let i = 0; i < 5; i++) await logIn(rail, email, 'wrong');
      expect((await logIn(rail, email)).status).toBe(401);
    });
    expect((await logIn(rail, email)).status).toBe(200);
  });
});

describe('what waits for its time', () => {
  let actor: Actor;
  beforeAll(async () => {
    actor = await makeActor(rail);
    await giveEndpoint(rail, sql`code = ${actor.integrator}`, 'https://127.0.0.1:1/');
  });

  const waiting = () =>
    rail.count(sql`
      select from payment_intent where enquire_at > now() + interval '1 minute'
      union all select from propagation where status = 'pending' and next_attempt_at > now() + interval '1 minute'
      union all select from webhook_queue where next_attempt_at > now() + interval '1 minute'`);

  it('happens at once where it was to happen hours from now', async () => {
    const work = async () => {
      await createSent(rail, actor);
      await createConfirmed(rail, actor);
      while ((await relay(rail.rail)) > 0);
    };
    await work();
    expect(await hasten(rail.rail)).toBe(0);
    expect(await waiting()).toBe(0);
    await ahead(work);
    expect(await waiting()).toBeGreaterThan(3);
    await hasten(rail.rail);
    expect(await waiting()).toBe(0);
  });

  it('is claimed again where a process died with it', async () => {
    const claim = async () => (await claimDueMessages(rail.rail, { healthy: 50, failing: 50, slow: [] })).length;
    const first = await claim();
    expect([first > 0, await claim()]).toEqual([true, 0]);
    await rail.rows(sql`
      update webhook_queue set claimed_until = claimed_until + interval '2 hours' where claimed_until is not null`);
    expect(await claim()).toBe(first);
  });

  it('waits no longer in the queue of jobs than until its next try, and cron plans on', async () => {
    await rail.rows(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('expire_intents', now(), now() + interval '2 hours'), ('send_alerts', now(), now())`);
    await rail.rows(sql`select graphile_worker.add_job('send_mail', run_at := now() + interval '5 minutes')`);
    await rail.rows(sql`select graphile_worker.add_job('send_alerts', run_at := now() + interval '2 hours')`);
    expect(await hastenJobs(rail.rail)).toBe(2);
    expect(await hastenJobs(rail.rail)).toBe(0);
    expect(
      await rail.rows(sql`
        select identifier from graphile_worker._private_known_crontabs where last_execution is null`),
    ).toEqual([{ identifier: 'expire_intents' }]);
  });
});
