import { authenticateStaffOf } from '../../../src/identity/sessions/authenticate.ts';
import type { Role } from '../../../src/platform/access/needs.ts';
import { authenticateToken } from '../../../src/platform/access/tokens/agency-token.ts';
import { type Viewer, viewKey } from '../../../src/platform/access/viewer.ts';
import { NO_GRANTS } from '../../../src/platform/access/grants.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  makeActor,
  createAssessed,
  createConfirmed,
  createAssessedFor,
  createPendingFor,
  someCitizen,
} from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { closeToday } from '../../harness/ledger.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { closeShift, collectInShift, openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import type { Answer, TestRail } from '../../harness/rail.ts';

/** Two agencies, and what each is paid for. What both have a part in is `twoLines` of the harness. */
export const A = { mda: 'URA', service: 'URA-TCC' } as const;
export const B = { mda: 'URSB', service: 'URSB-COMPANY' } as const;

/** Somebody who asks: what they show over HTTP, and as whom the rail knows them by it. */
export interface Caller {
  readonly name: string;
  readonly viewer: Viewer;
  readonly headers: Readonly<Record<string, string>>;
  /** The agency that they are bound to; null: none. */
  readonly mda: string | null;
}

/** The types of records that belong to agencies, and in SQL which record belongs to which. */
export const OWNED = {
  Assessment: sql`select distinct assessment as id, mda from assessment_line`,
  AgencyDay: sql`select name as id, mda from agency_day`,
  Exemption: sql`select name as id, mda from exemption`,
  PaymentIntent: sql`select intent as id, mda from split_rule`,
  PaymentEvent: sql`select name as id, mda from payment_event`,
  PaymentReference: sql`
    select distinct r.number as id, l.mda from payment_reference r join assessment_line l on l.assessment = r.assessment`,
  PaymentLink: sql`
    select distinct r.name as id, l.mda from payment_link r join assessment_line l on l.assessment = r.assessment`,
  MoneyReceived: sql`
    select distinct m.name as id, l.mda from money_received m join assessment_line l on l.assessment = m.assessment`,
  Receipt: sql`select r.name as id, s.mda from receipt r join split_rule s on s.intent = r.intent`,
  CounterShift: sql`select name as id, mda from counter_shift`,
  Propagation: sql`select name as id, mda from propagation`,
  ConsentEvent: sql`select name as id, mda from consent_event where mda is not null`,
  Anomaly: sql`select name as id, unnest(mdas) as mda from anomaly`,
  OverseenPaymentEvent: sql`select null as id, null as mda where false`,
  OverseenAnomaly: sql`select null as id, null as mda where false`,
  ReconciliationRun: sql`
    select distinct i.run as id, s.mda from reconciliation_item i join split_rule s on s.intent = i.intent`,
  BankStatement: sql`select s.name as id, m.name as mda from bank_statement s join mda m on m.collection_account = s.account`,
  BankLine: sql`select l.name as id, m.name as mda from bank_line l join mda m on m.collection_account = l.account`,
  ReconciliationItem: sql`
    select i.name as id, s.mda from reconciliation_item i join split_rule s on s.intent = i.intent`,
} as const;

/**
 * Records that everybody may look up, or that are shared: the catalogue, notices, and the registry of citizens for its
 * scopes.
 */
export const SHARED: ReadonlySet<string> = new Set(['Agency', 'Service', 'ServiceNotice', 'Citizen']);

/** The records of a rail, by whom they belong to. */
export class Records {
  readonly #agencies = new Map<string, { readonly type: string; readonly mdas: Set<string> }>();

  async read(rail: TestRail): Promise<this> {
    for (const [type, select] of Object.entries(OWNED))
      for (const { id, mda } of await rail.rows<{ id: string; mda: string }>(select)) {
        const known = this.#agencies.get(id) ?? { type, mdas: new Set<string>() };
        this.#agencies.set(id, known);
        known.mdas.add(mda);
      }
    return this;
  }

  isForeignTo(mda: string, id: string): boolean {
    return this.#agencies.has(id) && !this.#agencies.get(id)!.mdas.has(mda);
  }

  /** Those of a type that are an agency's, or are not. */
  of(type: string, mda: string, own: boolean): string[] {
    return [...this.#agencies]
      .filter(([, known]) => known.type === type && known.mdas.has(mda) === own)
      .map(([id]) => id);
  }

  /** Those of a type that are an agency's, first those that others have a part in too. */
  partly(type: string, mda: string): string[] {
    const parts = (id: string) => this.#agencies.get(id)!.mdas.size;
    return this.of(type, mda, true).toSorted((one, other) => parts(other) - parts(one));
  }

  /** Those that are not an agency's. */
  foreignTo(mda: string): string[] {
    return [...this.#agencies].filter(([, { mdas }]) => !mdas.has(mda)).map(([id]) => id);
  }

  typeOf(id: string): string {
    return this.#agencies.get(id)!.type;
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function dataOf({ status, data, text }: Answer) {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return data;
}

/** A link, a reference, and money that arrived for it and paid nothing. */
async function payShort(rail: TestRail, by: Pick<StaffActor, 'post'>, assessment: string) {
  dataOf(await by.post('/v1/payment-links', { assessment }));
  const { number } = dataOf(await by.post(`/v1/assessments/${assessment}:issue-reference`));
  dataOf(await makePoint(rail).pay({ reference: number, amount: 1 }));
}

/** Makes records of one agency, in all states: at its counter, by a key, and by the rail itself. */
async function makeRowsOf(rail: TestRail, { mda, service }: typeof A | typeof B, admin: StaffActor) {
  const clerk = await makeStaff(rail, 'clerk');
  const shift = await openShift(clerk, { mda });
  await collectInShift(rail, clerk, shift, 'cash', service);
  const { assessment } = await collectInShift(rail, clerk, shift, 'cash', service);
  dataOf(await admin.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Made by mistake' }));
  const closed = await makeStaff(rail, 'clerk');
  const counted = await openShift(closed, { mda, opening_float: 20_000 });
  dataOf(await closeShift(closed, counted, { cash_counted: 15_000, variance_reason: 'Miscounted' }));
  const waiting = await createAssessedFor(rail, clerk, service, { shift });
  await createPendingFor(clerk, waiting.assessment);
  await payShort(rail, clerk, waiting.assessment);
  await createAssessedFor(rail, clerk, service);
  await openShift(await makeStaff(rail, 'clerk'), { mda });
  await rail.rows(sql`
    insert into consent_event (name, citizen, mda, purpose, created_at)
    values (${`CONSENT-2020-00000${mda.length}`}, ${await someCitizen(rail)}, ${mda}, 'registration', now())`);
  await rail.rows(sql`
    insert into exemption (name, citizen, mda, category, percent, ground, document_hash, valid_from, valid_to, status, created_at, updated_at)
    values (${`EXM-2020-00000${mda.length}`}, ${await someCitizen(rail)}, ${mda}, 'refugee', 50, 'refugee', ${'ab'.repeat(32)}, '2020-01-01',
      '2020-12-31', 'Approved', now(), now())`);
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    values (${`ANOM-2020-01-00000${mda.length}`}, 'late_collection', ${mda}, array[${mda}::text], 'low', 'Open',
      ${waiting.assessment}, '{}', now())`);
  await rail.rows(sql`
    insert into propagation (name, assessment, mda, kind, status, attempts, created_at, updated_at)
    values (${`${waiting.assessment}.${mda}`}, ${waiting.assessment}, ${mda}, 'payment', 'dead', 1, now(), now())`);
  const statement = 'booked_on,amount,currency,reference\n2020-01-01,5,UGX,A\n2020-01-02,-1,UGX,B';
  dataOf(
    await admin.ask(`/v1/agency/${mda}/bank-statements`, {
      method: 'POST',
      body: new Blob([statement]),
      headers: { 'content-type': 'text/csv' },
    }),
  );
  return { shift };
}

/** A rail on which two agencies have records of all kinds, each its own and both together, and all who look at them. */
export async function makeWorld(rail: TestRail) {
  const admin = await makeStaff(rail, 'admin');
  const rowsOfA = await makeRowsOf(rail, A, admin);
  await makeRowsOf(rail, B, admin);
  const key = await makeActor(rail);
  const shared = await createConfirmed(rail, key);
  await payShort(rail, key, await createAssessed(rail, key));
  await closeToday(rail, A.mda, B.mda);

  const token = await (await makeAgency(rail, A.mda)).token();
  const authenticate = authenticateStaffOf(rail.rail.config);
  const staff = async (name: string, mda: string | null, ...roles: Role[]): Promise<Caller> => {
    const { cookie } = await makeStaffOf(rail, mda === null ? [] : [mda], ...roles);
    const viewer = await authenticate(rail.rail.db, cookie.split('=')[1]!, rail.rail.now());
    return { name, viewer: viewer!, headers: { cookie }, mda };
  };
  const callers: Caller[] = [
    await staff("A's officer", A.mda, 'finance_officer'),
    await staff("B's officer", B.mda, 'finance_officer'),
    await staff("A's clerk", A.mda, 'clerk'),
    await staff("A's supervisor", A.mda, 'supervisor'),
    // Operating the rail is closed to staff who are bound to an agency.
    await staff("A's admin", A.mda, 'admin', 'system_manager', 'oversight', 'finance_officer'),
    await staff('a clerk of all', null, 'clerk'),
    await staff('an officer of all', null, 'finance_officer'),
    {
      name: 'a standard key',
      viewer: viewKey({
        ...NO_GRANTS,
        name: 'any',
        lineage: 'any',
        integrator: key.integrator,
        scopes: ['citizens.read', 'assessments.write', 'payments.initiate'],
        issuedBy: null,
      }),
      headers: bearer(key.key),
      mda: null,
    },
    {
      name: "A's token",
      viewer: await authenticateToken(rail.rail, token, rail.rail.now()),
      headers: bearer(token),
      mda: A.mda,
    },
  ];
  return { callers, bound: callers.filter(({ mda }) => mda !== null), admin, key, shared, rowsOfA };
}
