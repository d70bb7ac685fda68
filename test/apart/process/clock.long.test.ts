import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, makeActor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { openSink } from '../../harness/sink.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

/** Debian's package `faketime` moves the clock of a process. */
const [faketime] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

const rail = testRail();
const FLOWS = 120;

describe.skipIf(!faketime)('two processes of which one has a clock an hour late', () => {
  it('make payments in the order of time, and deliver each message once with the time that it is', async () => {
    const env = {
      DATABASE_URL: rail.url,
      DATA_DIR: rail.dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_PRIVATE: '1',
    };
    const processes = await Promise.all([
      serve('src/app/main.ts', env),
      serve('src/app/main.ts', { ...env, LD_PRELOAD: faketime!, FAKETIME: '-1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }),
    ]);
    const late = await fetch(`${processes[1].origin}/readyz`);
    expect(await late.json()).toMatchObject({ status: 'ready', clock_offset_ms: expect.closeTo(-3_600_000, -5) });

    const actor = await makeActor(rail);
    const sink = await openSink();
    sink.answer = (_message, res) => void setTimeout(() => res.end(), 50);
    await giveEndpoint(rail, sql`code = ${actor.integrator}`, sink.url);
    const body = { citizen: await someCitizen(rail), lines: [{ service: await serviceNamed(rail, 'URA-PAYE') }] };
    let turn = 0;
    const post = onEither(actor, () => processes[turn++ % 2]!.origin);
    const pay = async () => {
      const { name: assessment } = await post('/v1/assessments', body);
      await post(`/v1/assessments/${assessment}:assess`);
      const { name: intent } = await post('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
      await post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
      await post(`/v1/payment-intents/${intent}:confirm`);
    };
    for (let done = 0; done < FLOWS; done += 4) await Promise.all([pay(), pay(), pay(), pay()]);

    const messages = sql`select distinct id from outbox where integrator = ${actor.integrator}`;
    const waiting = async () => (await rail.count(messages)) - new Set(sink.received.map(({ json }) => json.id)).size;
    await expect.poll(waiting, { timeout: 120_000 }).toBe(0);
    await Promise.all(processes.map((one) => one.stop()));
    await sink.close();

    expect(Math.max(...Object.values(tally(sink.received.map(({ json }) => json.id))))).toBe(1);
    for (const { at, headers } of sink.received)
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - at)).toBeLessThan(60_000);
    expect(await rail.count(sql`select name from payment_intent where confirmed_at < created_at`)).toBe(0);
    expect(
      await rail.count(
        sql`select from (select at, lag(at) over (partition by doc order by id) as before from trace_row) t where at < before - interval '1 second'`,
      ),
    ).toBe(0);
    expect(
      await rail.count(sql`select from (select sealed_at, lag(sealed_at) over (partition by mda order by sequence) as before from event_seal) s
        where sealed_at < before - interval '1 second'`),
    ).toBe(0);
    await expectInvariants(rail);
  });
});

/** Posts to one process after another, and answers the data. */
function onEither({ key }: Actor, origin: () => string) {
  return async (path: string, body: object = {}): Promise<{ name: string }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(origin() + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { name: string } }).data;
  };
}
