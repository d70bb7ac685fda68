import type { AnomalyKind } from '../../collection/anomalies/kinds.ts';

/** An anomaly, as a page has read it. */
interface Raised {
  readonly kind: string;
  readonly subjectId: string;
  readonly evidence: unknown;
  readonly agencies: readonly { readonly id: string }[];
}

/** Names in the addresses of steps' pages. */
interface Names {
  readonly subject: string;
  readonly agency: string;
  /** A member of what was found, as an address has it. */
  readonly of: (member: string) => string;
}

type Path = (names: Names) => string;

const payment: Path = ({ subject }) => `/console/payments/${subject}`;
const ofIntent: Path = ({ of }) => `/console/payments/${of('intent')}`;
const money: Path = ({ subject }) => `/console/money/${subject}`;
const assessment: Path = ({ subject }) => `/console/assessments/${subject}`;
const shift: Path = ({ subject }) => `/supervision/shifts/${subject}`;
const counters: Path = ({ agency }) => `/oversight/counters?agency=${agency}`;
const cancel: Path = ({ subject }) => `/work/assessments/${subject}/cancel`;
const services: Path = ({ agency }) => `/console/services?agency=${agency}`;
const key: Path = ({ of }) => `/console/keys/${of('key')}`;
const member: Path = ({ of }) => `/console/staff/${of('staff')}`;
const audit: Path = ({ subject }) => `/console/audit?subject=${subject}`;
const lookUps: Path = ({ subject }) => `/console/citizen-access?citizen=${subject}`;
/** The payments of the day, which are those of one agency. */
const day: Path = ({ agency, of }) => `/console/payments?agency=${agency}&from=${of('day')}&to=${of('day')}`;
const cash: Path = (names) => `${day(names)}&channel=cash`;
const revenue: Path = ({ agency, of }) => `/oversight?agency=${agency}&toDate=${of('day')}&by=service`;
const rule =
  (kind: AnomalyKind): Path =>
  () =>
    `/docs/anomalies#${kind}`;

/** Pages where the advice of each kind is followed, by the message of their button. */
const STEPS: Readonly<Record<AnomalyKind, Readonly<Record<string, Path>>>> = {
  cash_variance: { decide: shift, counters },
  duplicate_collection: { payment },
  late_collection: { payment },
  amount_mismatch: { payment },
  money_unmatched: { money: ({ of }) => `/console/money?provider=${of('provider')}` },
  money_open: { money },
  refund_stuck: { payment: ofIntent },
  refund_to_recover: { payment: ofIntent },
  dispute: { payment },
  event_reused: {
    callbacks: ({ of }) => `/console/callbacks?provider=${of('provider')}`,
    money: ({ of }) => `/console/money?provider=${of('provider')}`,
  },
  reference_probing: { callbacks: ({ of }) => `/console/callbacks?provider=${of('provider')}` },
  payout_short: { day, statements: () => '/console/reconciliation' },
  payout_missing: { day, statements: () => '/console/reconciliation' },
  claim_unproved: { statements: () => '/console/reconciliation' },
  statement_mismatch: { run: ({ of }) => `/console/reconciliation/runs/${of('run')}` },
  cash_outside_shift: { payment },
  cash_by_key: { shift, keys: () => '/console/keys' },
  split_differs: { payment, key },
  notice_rejected: { notice: ({ subject }) => `/console/propagations/${subject}` },
  bill_changed: { fees: services, cancel },
  reversal: { assessment, audit },
  cancellation_rate: { counters, rule: rule('cancellation_rate') },
  off_hours: { cash, rule: rule('off_hours') },
  round_amounts: { day, rule: rule('round_amounts') },
  revenue_drop: { revenue, connections: () => '/console/endpoints', counters },
  revenue_rise: { revenue, fees: services, day },
  identity_mismatch: { person: ({ of }) => `/work/find?q=${of('citizen')}`, lookUps },
  registry_harvest: {
    account: ({ of }) => `/console/integrators/${of('integrator')}`,
    lookUps: ({ of }) => `/console/citizen-access?actor=${of('integrator')}&fromDate=${of('day')}&toDate=${of('day')}`,
  },
  account_changed: { agency: ({ agency }) => `/console/agencies/${agency}` },
  fee_changed: { service: ({ subject }) => `/console/services/${subject.split('%3A')[0]}` },
  approved_alone: { approvals: () => '/console/approvals', audit: ({ of }) => `/console/audit?subject=${of('about')}` },
  operated_alone: { audit: ({ of }) => `/console/audit?subject=${of('about')}` },
  break_glass_login: { member },
  wrong_codes: { member },
  agency_unsigned: { closedDay: ({ subject }) => `/agency/days/${subject}` },
  seal_gap: { seals: () => '/oversight/seals', verify: () => '/oversight/verify' },
};

interface Advice {
  /** The message of its button. */
  readonly does: string;
  readonly path: string;
}

/** Pages where the advice of an anomaly is followed, the first first. */
export function listAdvice({ kind, subjectId, evidence, agencies }: Raised): Advice[] {
  const found = (typeof evidence === 'object' ? evidence : null) as Readonly<Record<string, string | number>> | null;
  const names: Names = {
    subject: encodeURIComponent(subjectId),
    agency: encodeURIComponent(agencies[0]?.id ?? ''),
    of: (name) => encodeURIComponent(`${found?.[name] ?? ''}`),
  };
  return Object.entries(STEPS[kind as AnomalyKind]).map(([does, pathOf]) => ({ does, path: pathOf(names) }));
}
