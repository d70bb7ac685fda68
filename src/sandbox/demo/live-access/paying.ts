import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, say } from './caller.ts';
import type { Integrator } from './going-live.ts';
import type { Member } from './staff.ts';

interface Named {
  readonly name: string;
}

const WAIT_MS = 60_000;
const PAYER = '+256772123456';

/** Somebody is registered at a counter, and an integrator collects from them by mobile money; the intent. */
export async function payByAggregator({ live }: Integrator, clerk: Member): Promise<string> {
  say('A clerk registers somebody, whom the integrator looks up and has pay by mobile money');
  const nin = `CM${randomUUID().replace(/\W/g, '').slice(0, 11).toUpperCase()}A`;
  await clerk.post('/v1/work/citizens', { nin });
  const { citizen: found } = await live.get<{ citizen: Named }>(`/v1/citizens/search?nin=${nin}`);
  const citizen = found.name;
  const assessment = await assess(live, citizen);
  const { name: intent } = await live.post<Named>('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
  await live.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: PAYER });
  for (const deadline = Date.now() + WAIT_MS; ; await sleep(1_000)) {
    const { status } = await live.get<{ status: string }>(`/v1/payment-intents/${intent}`);
    if (status === 'Confirmed') break;
    if (Date.now() > deadline) throw new Error(`${intent} is ${status}`);
  }
  await live.get(`/v1/payment-events?intent=${intent}`);

  say('For another agency, or by another channel, it may not collect');
  const [permit] = await live.get<Named[]>('/v1/services?mda=KCCA&limit=1');
  await expectReason('agency_not_allowed', live, 'POST', '/v1/assessments', {
    citizen,
    lines: [{ service: permit!.name }],
  });
  const second = await assess(live, citizen);
  const card = { assessment: second, channel: 'airtel_money' };
  await expectReason('channel_not_allowed', live, 'POST', '/v1/payment-intents', card);
  await takeCash(live, clerk, second);
  return intent;
}

/** Only a clerk at an open counter takes cash. */
async function takeCash(live: Caller, clerk: Member, assessment: string): Promise<void> {
  const cash = { assessment, channel: 'cash' };
  say('Cash is not the integrator’s to take, nor a clerk’s outside a shift');
  await expectReason('channel_not_allowed', live, 'POST', '/v1/payment-intents', cash);
  await expectReason('cash_needs_shift', clerk, 'POST', '/v1/payment-intents', cash);
  say('In an open shift of theirs it is');
  await clerk.post('/v1/counter-shifts', { mda: 'URA', counter_label: 'Window 1', opening_float: 0 });
  const { name } = await clerk.post<Named>('/v1/payment-intents', cash);
  await clerk.post(`/v1/payment-intents/${name}:initiate`);
  await clerk.post(`/v1/payment-intents/${name}:confirm`);
}

async function assess(live: Caller, citizen: string): Promise<string> {
  const [service] = await live.get<Named[]>('/v1/services?code=URA-TCC');
  const lines = [{ service: service!.name }];
  const { name } = await live.post<Named>('/v1/assessments', { citizen, lines });
  await live.post(`/v1/assessments/${name}:assess`);
  return name;
}

async function expectReason(reason: string, by: Caller, ...asked: ['POST', string, object]): Promise<void> {
  const found = await by.refused(403, ...asked);
  if (found !== reason) throw new Error(`The reason was to be ${reason}, and is ${found}`);
}
