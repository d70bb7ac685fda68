import type { Client } from '../clients.ts';
import type { IssuedKey } from '../setting.ts';
import type { FlowSubject } from './bare-flow.ts';

interface Named {
  readonly data: { readonly name: string };
}

/** What the flows of a key are about: its first citizen, and a service of each of two agencies. */
export async function findSubject(client: Client, key: IssuedKey): Promise<FlowSubject> {
  const subjects = await findSubjects(client, key);
  const services = ['URA', 'URSB'].map(
    (agency) => subjects.find((each) => each.services[0]?.mda === agency)!.services[0]!,
  );
  return { ...subjects[0]!, services };
}

/** For each agency of a country that collects at present what flows are about that pay it alone. */
export async function findSubjects(client: Client, { integrator, name: key }: IssuedKey): Promise<FlowSubject[]> {
  const [citizen] = await listOf<{ name: string }>(client, '/v1/citizens?limit=1');
  const agencies = await listOf<{ name: string; status: string }>(client, '/v1/mdas?limit=200');
  const collecting = new Set(agencies.filter(({ status }) => status === 'Active').map(({ name }) => name));
  const catalogue = await listOf<FlowSubject['services'][number] & { currency: string }>(
    client,
    '/v1/services?limit=500',
  );
  const offered = catalogue.filter(({ mda, currency }) => currency === 'UGX' && collecting.has(mda));
  const first = new Map(offered.toReversed().map((service) => [service.mda, service]));
  return [...first.values()].map((service) => ({ citizen: citizen!.name, services: [service], integrator, key }));
}

async function listOf<Row>(client: Client, path: string): Promise<Row[]> {
  return ((await client.get(path)) as { data: Row[] }).data;
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
