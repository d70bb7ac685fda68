import type { Client } from '../clients.ts';
import type { IssuedKey } from '../setting.ts';
import { type FlowSubject, findSubject } from './subjects.ts';

/** As many assessments as a page shows, and one that it does not. */
const ASSESSMENTS = 51;

interface Named {
  readonly data: { readonly name: string };
}

/** The whole flow: create, assess, intent, initiate, confirm. The name of its assessment. */
export async function flow(client: Pick<Client, 'post'>, { citizen, services }: FlowSubject): Promise<string> {
  const lines = services.map(({ name }) => ({ service: name }));
  const assessment = ((await client.post('/v1/assessments', { citizen, lines })) as Named).data.name;
  await client.post(`/v1/assessments/${assessment}:assess`);
  const intent = ((await client.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' })) as Named).data.name;
  await client.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
  await client.post(`/v1/payment-intents/${intent}:confirm`);
  return assessment;
}

/** The same in three requests: the assessment is created Assessed, and the intent initiated. */
export async function flowInThree(client: Pick<Client, 'post'>, { citizen, services }: FlowSubject): Promise<void> {
  const lines = services.map(({ name }) => ({ service: name }));
  const owed = (await client.post('/v1/assessments', { citizen, lines, assess: true })) as Named;
  const asked = { channel: 'mtn_momo', initiate: true, payer_msisdn: '+256700123456' };
  const intent = (await client.post('/v1/payment-intents', { assessment: owed.data.name, ...asked })) as Named;
  await client.post(`/v1/payment-intents/${intent.data.name}:confirm`);
}

/** Pays a page of assessments and one more; the name of the last. */
export async function fillPage(client: Client, key: IssuedKey): Promise<string> {
  const subject = await findSubject(client, key);
  for (let left = ASSESSMENTS; left > 1; left--) await flow(client, subject);
  return flow(client, subject);
}
