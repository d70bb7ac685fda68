import { type Caller, type Named, say } from '../caller.ts';
import { makeNin } from '../cast.ts';
import { askToPay, assess, collect, waitUntilConfirmed } from '../steps.ts';
import type { Integrator } from './going-live.ts';

const PAYER = '+256772123456';
/** Service to pay for: a certificate of the tax authority. */
const CLEARANCE = ['URA-TCC'];

/** Somebody is registered at a counter, and an integrator collects from them by mobile money; the intent. */
export async function payByAggregator({ live }: Integrator, clerk: Caller): Promise<string> {
  say('A clerk registers somebody, whom the integrator looks up and has pay by mobile money');
  const nin = makeNin();
  await clerk.post('/v1/work/citizens', { nin });
  const { citizen: found } = await live.get<{ citizen: Named }>(`/v1/citizens/search?nin=${nin}`);
  const citizen = found.name;
  const assessment = await assess(live, citizen, CLEARANCE);
  const { intent } = await askToPay(live, assessment, 'mtn_momo', PAYER);
  await waitUntilConfirmed(live, intent);
  await live.get(`/v1/payment-events?intent=${intent}`);

  say('For another agency, or by another channel, it may not collect');
  const [permit] = await live.get<Named[]>('/v1/services?mda=KCCA&limit=1');
  await expectReason('agency_not_allowed', live, 'POST', '/v1/assessments', {
    citizen,
    lines: [{ service: permit!.name }],
  });
  const second = await assess(live, citizen, CLEARANCE);
  const card = { assessment: second, channel: 'airtel_money' };
  await expectReason('channel_not_allowed', live, 'POST', '/v1/payment-intents', card);
  await takeCash(live, clerk, second);
  return intent;
}

/** Only a clerk at an open counter takes cash. */
async function takeCash(live: Caller, clerk: Caller, assessment: string): Promise<void> {
  const cash = { assessment, channel: 'cash' };
  say('Cash is not the integrator’s to take, nor a clerk’s outside a shift');
  await expectReason('channel_not_allowed', live, 'POST', '/v1/payment-intents', cash);
  await expectReason('cash_needs_shift', clerk, 'POST', '/v1/payment-intents', cash);
  say('In an open shift of theirs it is');
  await clerk.post('/v1/counter-shifts', { mda: 'URA', counter_label: 'Window 1', opening_float: 0 });
  await collect(clerk, assessment, 'cash');
}

async function expectReason(reason: string, by: Caller, ...asked: ['POST', string, object]): Promise<void> {
  const found = await by.refused(403, ...asked);
  if (found !== reason) throw new Error(`The reason was to be ${reason}, and is ${found}`);
}
