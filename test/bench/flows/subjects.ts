import type pg from 'pg';
import type { Client } from '../clients.ts';
import type { IssuedKey } from '../setting.ts';

/** Whose flow it is, and what is paid. */
export interface FlowSubject {
  readonly citizen: string;
  readonly services: readonly Offered[];
  readonly integrator: string;
  readonly key: string;
}

interface Offered {
  readonly name: string;
  readonly service_name: string;
  readonly mda: string;
  readonly fee_amount: number;
}

/** As many as pay in a busy hour. */
const CITIZENS = 3_000;

/** The first of them; and the first of as many who have a phone, to which they are sent texts. */
const FIRST = { without: 800_001, with: 810_001 };

/** Citizens as a registry has them, made where there are none of them yet. */
const REGISTER = `
  insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
  select 'CITIZEN-2020-' || i, 'CM8' || lpad(i::text, 11, '0'), 'Sample Person ' || i,
    case when $3 then '+256770' || i end, true, 'sample person ' || i, now(), now()
  from generate_series($1::int, $1 + $2 - 1) i on conflict do nothing`;

/**
 * Subjects for the flows of a key, in turns: three thousand citizens, with or without a phone, each paying for two
 * services of two agencies, and all services that a country offers at present. Flows of one citizen and one agency
 * would change the same few rows.
 */
export async function spread(
  client: Client,
  key: IssuedKey,
  db: pg.Pool,
  phone: keyof typeof FIRST = 'without',
): Promise<() => FlowSubject> {
  await db.query(REGISTER, [FIRST[phone], CITIZENS, phone === 'with']);
  // Prevents a vacuum during the measurement.
  await db.query('vacuum analyze citizen');
  const services = await listOffered(client);
  const { integrator, name } = key;
  // Half of them apart, in a list by agency, are of two agencies.
  const apart = Math.floor(services.length / 2);
  let turn = 0;
  return () => {
    const nth = turn++;
    const citizen = `CITIZEN-2020-${FIRST[phone] + (nth % CITIZENS)}`;
    const two = [services[nth % services.length]!, services[(nth + apart) % services.length]!];
    return { citizen, services: two, integrator, key: name };
  };
}

/** The subject of flows of a key that one citizen pays: a service of each of two agencies. */
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
  const first = new Map((await listOffered(client)).toReversed().map((service) => [service.mda, service]));
  return [...first.values()].map((service) => ({ citizen: citizen!.name, services: [service], integrator, key }));
}

/** The services of a country whose agencies collect at present, agency by agency. */
async function listOffered(client: Client): Promise<Offered[]> {
  const agencies = await listOf<{ name: string; status: string }>(client, '/v1/mdas?limit=200');
  const collecting = new Set(agencies.filter(({ status }) => status === 'Active').map(({ name }) => name));
  const catalogue = await listOf<Offered & { currency: string }>(client, '/v1/services?limit=500');
  return catalogue
    .filter(({ mda, currency, fee_amount }) => currency === 'UGX' && fee_amount > 0 && collecting.has(mda))
    .toSorted((a, b) => a.mda.localeCompare(b.mda));
}

async function listOf<Row>(client: Client, path: string): Promise<Row[]> {
  return ((await client.get(path)) as { data: Row[] }).data;
}
