import { randomUUID } from 'node:crypto';
import { issueKey } from '../../accounts/integrators/issue-key.ts';
import { updateProfile } from '../../accounts/integrators/update.ts';
import { registerAtCounter } from '../../collection/citizens/at-counter.ts';
import { addStaff } from '../../identity/members/add.ts';
import type { Role, Scope } from '../../platform/access/needs.ts';
import { type Viewer, viewKey, viewStaff } from '../../platform/access/viewer.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { exampleNinOf } from '../example-citizens.ts';
import { callAt, eachOf } from './stage.ts';

export const AGENCIES = ['URA', 'URSB', 'KCCA'] as const;

/** An integrator as the story has it. */
export interface Integrator {
  readonly code: string;
  readonly viewer: Viewer;
  /** True if its webhooks arrive; null if it wants none. */
  readonly listens: boolean | null;
}

export interface Service {
  readonly id: string;
  readonly agency: string;
}

export interface Cast {
  /** Those who take turns at the counters of an agency. */
  readonly clerks: ReadonlyMap<string, readonly Viewer[]>;
  readonly supervisor: Viewer;
  readonly operator: Viewer;
  /** The first owns most payments, the last is in trouble. */
  readonly integrators: readonly [Integrator, Integrator, Integrator, Integrator];
  readonly services: readonly Service[];
  readonly citizens: readonly string[];
}

/** Address that shows that the story was begun here. */
export const FIRST_CLERK = 'grace.nakato@ura.example';

/** Author of a request at the very end of it. */
export const LAST_INTEGRATOR = 'Jinja Kiosks';

/** Clerks of counters: at some of them enough that figures about clerks are disclosed. */
const CREWS = [
  {
    agency: 'URA',
    names: ['Grace Nakato', 'Joan Auma', 'Isaac Byaruhanga', 'Sarah Kembabazi', 'Denis Ojok', 'Irene Nansubuga'],
  },
  {
    agency: 'KCCA',
    names: ['Peter Okello', 'Mary Nalwoga', 'Fred Tumusiime', 'Esther Akello', 'Simon Wabwire', 'Rose Kyomuhendo'],
  },
] as const;

const CITIZENS = 60;
const AT_ONCE = 6;

/** Has everybody come on stage who plays a part, at a moment before it begins. */
export async function makeCast(rail: Rail, at: Date): Promise<Cast> {
  const past = { ...rail, now: () => at };
  const staff = async (email: string, name: string, role: Role, ...agencies: string[]): Promise<Viewer> => {
    await addStaff(past, { email, name, roles: [role], agencies });
    return viewStaff({ id: randomUUID(), email, roles: [role], agencies });
  };
  const clerks = new Map<string, readonly Viewer[]>();
  for (const { agency, names } of CREWS)
    clerks.set(agency, await Promise.all(names.map((name) => staff(addressOf(name, agency), name, 'clerk', agency))));
  const supervisor = await staff('ruth.achieng@treasury.example', 'Ruth Achieng', 'supervisor');
  const operator = await staff('moses.mugisha@treasury.example', 'Moses Mugisha', 'system_manager');
  const integrators: Cast['integrators'] = [
    await makeIntegrator(past, 'Nile Mobile Bank', true),
    await makeIntegrator(past, 'Kampala Tax Agents', true),
    await makeIntegrator(past, LAST_INTEGRATOR, null),
    await makeIntegrator(past, 'City Parking Systems', false),
  ];
  const services = await rail.db.rows<Service>(sql`
    select name as id, mda as agency from service
    where mda = any(${[...AGENCIES]}) and status = 'Active' and currency = 'UGX' and fee_amount between 5000 and 500000
    order by name`);
  return { clerks, supervisor, operator, integrators, services, citizens: await makeCitizens(rail, at, supervisor) };
}

function addressOf(name: string, agency: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@${agency.toLowerCase()}.example`;
}

const SCOPES: readonly Scope[] = ['citizens.read', 'assessments.write', 'payments.initiate', 'assessments.cancel'];

async function makeIntegrator(rail: Rail, organisation: string, listens: boolean | null): Promise<Integrator> {
  const domain = `${organisation.toLowerCase().replaceAll(' ', '-')}.example`;
  const issued = await issueKey(rail, { organisation, email: `office@${domain}` }, SCOPES, 'Production');
  const viewer = viewKey({ ...issued, lineage: issued.name, issuedBy: null });
  const changes = {
    contactPhone: '+256414000000',
    anticipatedVolumeMonthly: 5_000,
    ...(listens !== null && { webhookEndpoint: `https://hooks.${domain}/revenue` }),
  };
  await updateProfile(callAt(rail, viewer, rail.now()), changes);
  return { code: issued.integrator, viewer, listens };
}

/** People who pay: known to the identity authority, which makes them up. */
async function makeCitizens(rail: Rail, at: Date, viewer: Viewer): Promise<string[]> {
  const citizens: string[] = [];
  const numbers = Array.from({ length: CITIZENS }, (_, index) => index + 1);
  await eachOf(numbers, AT_ONCE, async (number) => {
    const { citizen } = await registerAtCounter(callAt(rail, viewer, at), { nin: exampleNinOf(number) });
    citizens.push(citizen.name);
  });
  return citizens.toSorted();
}
