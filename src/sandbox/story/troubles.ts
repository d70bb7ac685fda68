import { type Finding, raiseAnomalies } from '../../collection/anomalies/raise.ts';
import { ANOMALY_KINDS, type AnomalyKind } from '../../collection/anomalies/kinds.ts';
import { resolveAnomaly } from '../../collection/anomalies/resolve.ts';
import { confirmCitizen } from '../../collection/citizens/confirm.ts';
import { createAssessment } from '../../collection/assessments/create.ts';
import { createCitizen } from '../../collection/citizens/create.ts';
import { createPaymentIntent } from '../../collection/payments/create.ts';
import { cancelAssessment } from '../../collection/payments/cancellation/cancel.ts';
import { issueKey } from '../../accounts/integrators/issue-key.ts';
import { viewKey } from '../../platform/access/viewer.ts';
import { always, commit } from '../../platform/change/commit.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Decimal } from '../../kernel/money.ts';
import { formatDay } from '../../kernel/time.ts';
import { exampleNinOf } from '../example-citizens.ts';
import type { Cast } from './cast.ts';
import { ask, assessOnStage, confirm, orRefused, pay } from './pay.ts';
import type { OpenShift } from './shifts.ts';
import { callAt, later } from './stage.ts';

/** Number of the first person who is assessed and then does not want the service. */
const FIRST_UNWILLING = 10;
const UNWILLING = 6;
/** Beyond those of the cast. */
const MISTYPED = 777;

/** Makes the troubles of a day's work, each by the verbs that find it. */
export async function makeTrouble(rail: Rail, cast: Cast, at: Date): Promise<void> {
  const { integrators, citizens, services, supervisor } = cast;
  const [first, second] = integrators;
  const basis = { at, viewer: first.viewer, citizen: citizens[0]!, seconds: 40 };
  const lines = [{ service: services[0]!.id }];
  const channel = 'mtn_momo';

  // Two payers, one assessment.
  const { name: twice } = await assessOnStage(rail, { ...basis, lines });
  const asked = { viewer: first.viewer, at: later(at, 20), channel, fate: 'paid', assessment: twice } as const;
  const intents = [await ask(rail, asked), await ask(rail, { ...asked, at: later(at, 25), channel: 'airtel_money' })];
  for (const intent of intents) await confirm(rail, first.viewer, later(at, 90), intent!);

  // Cancelled while the payer made up their mind.
  const { name: dropped } = await assessOnStage(rail, { ...basis, lines });
  const late = await ask(rail, { ...asked, assessment: dropped });
  const cancelling = { name: dropped, reason: 'The payer left' };
  await cancelAssessment(callAt(rail, first.viewer, later(at, 60)), cancelling);
  await confirm(rail, first.viewer, later(at, 200), late!);

  // As many as figures about people take.
  for (const citizen of citizens.slice(FIRST_UNWILLING, FIRST_UNWILLING + UNWILLING)) {
    const { name } = await assessOnStage(rail, { ...basis, lines, citizen });
    await cancelAssessment(callAt(rail, first.viewer, later(at, 300)), { name, reason: 'Not wanted any more' });
  }

  await pay(rail, { ...basis, lines, channel, fate: 'other amount', citizen: citizens[1]! });
  await pay(rail, { ...basis, lines, channel: 'cash', fate: 'paid', citizen: citizens[2]!, viewer: second.viewer });
  await payElsewhere(rail, cast, at);

  const { assessment } = await pay(rail, { ...basis, lines, channel, fate: 'paid', citizen: citizens[3]! });
  const reason = 'Paid for the wrong vehicle';
  await cancelAssessment(callAt(rail, supervisor, later(at, 3_600)), { name: assessment, reason });

  const mistyped = { nin: exampleNinOf(MISTYPED), fullName: 'Somebody Else' };
  const { name } = await createCitizen(callAt(rail, supervisor, at), mistyped);
  await orRefused(confirmCitizen(callAt(rail, supervisor, later(at, 300)), name));
}

/** A payment of which an agency gets what another one is owed, by a key that may ask for that. */
async function payElsewhere(rail: Rail, { integrators, citizens, services }: Cast, at: Date): Promise<void> {
  const integrator = integrators[1].code;
  const past = { ...rail, now: () => at };
  const issued = await issueKey(past, { integrator }, ['payments.split', 'payments.initiate', 'assessments.write']);
  const viewer = viewKey({ ...issued, lineage: issued.name, issuedBy: 'command line' });
  const [one] = services;
  const other = services.find(({ agency }) => agency !== one!.agency)!;
  const lines = [{ service: one!.id }, { service: other.id }];
  const { name: assessment } = await assessOnStage(rail, { viewer, at, citizen: citizens[4]!, lines });
  const call = callAt(rail, viewer, later(at, 10));
  const { totalAmount } = await (await rail.prisma()).assessment.findUniqueOrThrow({ where: { name: assessment } });
  const most = totalAmount.minus(1_000);
  const splits = [
    { mda: one!.agency, amount: most },
    { mda: other.agency, amount: new Decimal(1_000) },
  ];
  await createPaymentIntent(call, { assessment, channel: 'card', splits });
}

/**
 * Leaves work waiting: payers who have not said yes, requests that nobody has sent, and assessments without a price.
 */
export async function leaveWaiting(rail: Rail, { integrators, citizens, services }: Cast, at: Date): Promise<void> {
  const { viewer } = integrators[0];
  const lines = [{ service: services[0]!.id }];
  const basis = { at, viewer, lines, seconds: 0 };
  await pay(rail, { ...basis, citizen: citizens[5]!, channel: 'mtn_momo', fate: 'forgotten' });
  const { name: assessment } = await assessOnStage(rail, { ...basis, citizen: citizens[6]! });
  await createPaymentIntent(callAt(rail, viewer, later(at, 30)), { assessment, channel: 'airtel_money' });
  await createAssessment(callAt(rail, viewer, later(at, 90)), { citizen: citizens[7]!, lines });
}

/** Collections at a counter that are cancelled soon after, and cash that is taken at night. */
export async function workBadly(
  rail: Rail,
  cast: Cast,
  { name: shift, clerk: viewer }: OpenShift,
  at: Date,
): Promise<void> {
  const { citizens, services, supervisor } = cast;
  const lines = [{ service: services.find(({ agency }) => agency === 'KCCA')!.id }];
  for (let number = 0; number < CANCELLED; number++) {
    const citizen = citizens[number]!;
    const paid = later(at, number * 240);
    const who = { at: paid, viewer, citizen, shift, seconds: 15 };
    const { assessment } = await pay(rail, { ...who, lines, channel: 'cash', fate: 'paid' });
    const reason = 'Taken for the wrong person';
    // Four are kept: that is the cash of the night.
    if (number >= KEPT)
      await cancelAssessment(callAt(rail, supervisor, later(paid, 120)), { name: assessment, reason });
  }
}

const KEPT = 4;
const CANCELLED = 12;

interface Found {
  /** The day whose figures were looked at. */
  readonly day: Date;
  readonly at: Date;
}

/** Raises anomalies that the verbs of a sandbox never find, or only after months. */
export async function raiseTheRest(
  rail: Rail,
  { integrators, operator, supervisor }: Cast,
  found: Found,
): Promise<void> {
  const raised = await rail.db.rows<{ kind: AnomalyKind }>(sql`select distinct kind from anomaly`);
  const there = new Set(raised.map(({ kind }) => kind));
  const day = formatDay(found.day);
  const about = await findSubjects(rail);
  const evidence: Partial<Record<AnomalyKind, Omit<Finding, 'kind'>>> = {
    revenue_drop: of(`KCCA:UGX:${day}`, 'KCCA', {
      day,
      currency: 'UGX',
      amount: 640_000,
      usual: 4_180_000,
      deviations: 4.1,
    }),
    revenue_rise: of(`URSB:UGX:${day}`, 'URSB', {
      day,
      currency: 'UGX',
      amount: 9_400_000,
      usual: 3_050_000,
      deviations: 5.2,
    }),
    round_amounts: of(`KCCA:UGX:${day}`, 'KCCA', { day, currency: 'UGX', payments: 31, rate: 0.61, usual_rate: 0.12 }),
    bill_changed: of(about.unpaid, 'URA', { agency: 'URA', owed: 460_000, assessed: 450_000, currency: 'UGX' }),
    notice_rejected: of(about.notice, 'URSB', { agency: 'URSB', reason: 'The name reservation has lapsed' }),
    registry_harvest: {
      subject: `${integrators[3].code}:${day}`,
      mdas: [],
      evidence: { day, integrator: integrators[3].code, citizens: 412, assessments: 6 },
    },
    claim_unproved: {
      subject: `paybill:${day}`,
      mdas: [],
      evidence: { provider: 'paybill', day, claims: 3, transactions: 2 },
    },
    event_reused: of(`bank:${day}`, 'URA', {
      provider: 'bank',
      event_id: 'BANK-2026-0711',
      amount: 450_000,
      currency: 'UGX',
      before: { decision: 'confirmed', intent: null, object: about.unpaid },
    }),
    money_unmatched: of(about.unpaid, 'URA', {
      provider: 'bank',
      kind: 'unknown_reference',
      amount: 30_000,
      currency: 'UGX',
      channel: 'bank',
      assessment: null,
    }),
    // A short story has none, and no counter is open on its weekend.
    ...(about.money !== null && {
      money_open: of(about.money, 'URA', { assessment: about.unpaid, amount: 30_000, currency: 'UGX' }),
    }),
    ...(about.shift !== null && { cash_by_key: of(about.shift, 'KCCA', { day }) }),
    dispute: of(about.paid, 'URA', {
      dispute: 'CBK-2026-118',
      amount: 143_000,
      currency: 'UGX',
      answer_by: day,
      trace: `/v1/payment-intents/${about.paid}/trace`,
    }),
    refund_to_recover: of(`recover:${day}`, 'URSB', { intent: about.paid, currency: 'UGX', owed: { URSB: 20_000 } }),
    reference_probing: { subject: `bank:${day}`, mdas: [], evidence: { provider: 'bank' } },
    approved_alone: { subject: `GRANT:${day}`, mdas: [], evidence: { approval: 'GRANT-2026-000001' } },
    operated_alone: { subject: `load:${day}`, mdas: [], evidence: { action: 'catalogue.load', about: 'UG' } },
    account_changed: of(`ACCT:${day}`, 'UWA', {
      from_last4: '4401',
      to_last4: '9921',
      effective_at: found.at.toISOString(),
    }),
    fee_changed: of(`${about.service}:2`, 'URSB', { from: 20_000, to: 25_000, currency: 'UGX' }),
    break_glass_login: { subject: `emergency:${day}`, mdas: [], evidence: { staff: operator.actor } },
    wrong_codes: {
      subject: `${supervisor.actor}:${day}`,
      mdas: [],
      evidence: { staff: supervisor.actor, codes: 10 },
    },
    seal_gap: of(`UWA:${day}`, 'UWA', { last_sequence: 14, sealed: 13 }),
  };
  const findings = ANOMALY_KINDS.flatMap((kind) => {
    const finding = evidence[kind];
    return finding && !there.has(kind) ? [{ kind, ...finding }] : [];
  });
  const call = callAt(rail, operator, found.at);
  await commit(call, { subject: null, guard: always, steps: await raiseAnomalies(call, always, findings) });
}

/** Records that something can be found of. */
async function findSubjects({ db }: Rail) {
  const row = await db.row<
    Record<'unpaid' | 'paid' | 'notice' | 'service', string> & Record<'money' | 'shift', string | null>
  >(sql`
    select (select min(name) from assessment where status = 'Assessed') as unpaid,
      (select min(name) from payment_intent where status = 'Confirmed') as paid,
      (select min(name) from money_received) as money,
      (select min(p.name) from propagation p where p.mda = 'URSB') as notice,
      (select min(name) from service where mda = 'URSB') as service,
      (select min(name) from counter_shift where mda = 'KCCA') as shift`);
  return row!;
}

function of(subject: string, mda: string, evidence: Finding['evidence']): Omit<Finding, 'kind'> {
  return { subject, mdas: [mda], evidence };
}

/** Has the operator settle most of what is older, and what is soon settled. */
export async function resolveOlder(rail: Rail, { operator }: Cast, before: Date, at: Date): Promise<void> {
  const older = await rail.db.rows<{ id: string }>(sql`
    select name as id from anomaly where status = 'Open' and (raised_at < ${before} or kind = 'reversal')
    order by name`);
  for (const [index, { id }] of older.entries()) {
    if (index % 5 === 4) continue;
    await resolveAnomaly(callAt(rail, operator, at), { id, note: 'Settled with whom it concerns' });
  }
}
