import { env } from 'node:process';

const RAIL = 'http://127.0.0.1:4000';

/** The rail's answer; an error stops the program with its message. */
async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(RAIL + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${env.RAIL_KEY}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = (await answer.json()) as { data: unknown; error?: { message: string } };
  if (error) throw new Error(error.message);
  return data;
}

// Who: one of the example citizens.
const [citizen] = await call('/v1/citizens?limit=1');

// What: two services of two agencies. The rail prices them, and `assess` sets the prices for good.
const [one] = await call('/v1/services?code=URA-MVTRANSFER');
const [two] = await call('/v1/services?code=MOWT-PSV');
const lines = [{ service: one.name }, { service: two.name }];
const assessment = await call('/v1/assessments', { citizen: citizen.name, lines, assess: true });

// How: the aggregator is asked to collect, and then how the collection stands.
const key = { 'idempotency-key': `pay-${assessment.name}` };
const asked = { assessment: assessment.name, channel: 'mtn_momo', initiate: true, payer_msisdn: '+256700123456' };
const intent = await call('/v1/payment-intents', asked, key);
const confirmed = await call(`/v1/payment-intents/${intent.name}:confirm`, {});
console.log(confirmed.intent.status);

// The proof: one event an agency.
for (const { mda, amount, currency } of await call(`/v1/payment-events?intent=${intent.name}`))
  console.log(mda, amount, currency);
