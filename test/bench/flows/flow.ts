import type { Client } from '../clients.ts';
import type { IssuedKey } from '../setting.ts';
import type { FlowSubject } from './bare-flow.ts';

interface Named {
  readonly data: { readonly name: string };
}

/** What the flows of a key are about: its first citizen, and a service of each of these agencies. */
export async function findSubject(
  client: Client,
  { integrator, name: key }: IssuedKey,
  agencies: readonly string[] = ['URA', 'URSB'],
): Promise<FlowSubject> {
  const [citizen] = ((await client.get('/v1/citizens?limit=1')) as { data: { name: string }[] }).data;
  const { data: catalogue } = (await client.get('/v1/services?limit=500')) as { data: FlowSubject['services'] };
  const services = agencies.map((agency) => catalogue.find(({ mda }) => mda === agency)!);
  return { citizen: citizen!.name, services, integrator, key };
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
