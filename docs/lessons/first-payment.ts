import { env } from 'node:process';

const RAIL = 'http://127.0.0.1:4000';

/** What the rail answers; an error stops the program with its message. */
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

// What: two services of two agencies. The rail prices them; :assess freezes the prices.
const [one] = await call('/v1/services?code=URA-MVTRANSFER');
const [two] = await call('/v1/services?code=MOWT-PSV');
const lines = [{ service: one.name }, { service: two.name }];
const assessment = await call('/v1/assessments', { citizen: citizen.name, lines });
await call(`/v1/assessments/${assessment.name}:assess`, {});

// How: an intent, its collection by the aggregator, and its confirmation.
const key = { 'idempotency-key': `pay-${assessment.name}` };
const intent = await call('/v1/payment-intents', { assessment: assessment.name, channel: 'mtn_momo' }, key);
await call(`/v1/payment-intents/${intent.name}:initiate`, { payer_msisdn: '+256700123456' });
const confirmed = await call(`/v1/payment-intents/${intent.name}:confirm`, {});
console.log(confirmed.intent.status);

// The proof: one event an agency.
for (const { mda, amount, currency } of await call(`/v1/payment-events?intent=${intent.name}`))
  console.log(mda, amount, currency);
