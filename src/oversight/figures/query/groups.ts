import { ANOMALIES } from './groups/anomalies.ts';
import { ASSESSED, EXEMPTIONS } from './groups/assessed.ts';
import { ATTEMPTS } from './groups/attempts.ts';
import { CANCELLATIONS } from './groups/cancellations.ts';
import { NOTICES, WEBHOOKS } from './groups/notifications.ts';
import { MONEY_RECEIVED, RECEIPTS } from './groups/payments/receipts.ts';
import { PAYERS } from './groups/payers.ts';
import { DAYS } from './groups/payments/days.ts';
import { PAYOUTS, TO_BANK } from './groups/payments/payouts.ts';
import { PIECES } from './groups/payments/pieces.ts';
import { REFUNDS } from './groups/payments/refunds.ts';
import { REGISTRATIONS } from './groups/registrations.ts';
import { REVERSALS } from './groups/payments/reversals.ts';
import { REVENUE } from './groups/payments/revenue.ts';
import { SETTLEMENTS } from './groups/settlements.ts';
import { SHIFTS } from './groups/shifts.ts';
import { SIZES } from './groups/payments/sizes.ts';
import { TARGETS } from './groups/targets.ts';
import { TO_PAYMENT } from './groups/to-payment.ts';
import { OVERDUE, UNPAID } from './groups/unpaid.ts';
import { VARIANCES } from './groups/variances.ts';
import type { MeasureGroup } from './measure-group.ts';

/** All measures, in groups. Each measure has a name of its own. */
export const GROUPS = {
  revenue: REVENUE,
  pieces: PIECES,
  sizes: SIZES,
  targets: TARGETS,
  assessed: ASSESSED,
  exemptions: EXEMPTIONS,
  unpaid: UNPAID,
  overdue: OVERDUE,
  toPayment: TO_PAYMENT,
  attempts: ATTEMPTS,
  payers: PAYERS,
  reversals: REVERSALS,
  cancellations: CANCELLATIONS,
  shifts: SHIFTS,
  variances: VARIANCES,
  anomalies: ANOMALIES,
  settlements: SETTLEMENTS,
  payouts: PAYOUTS,
  toBank: TO_BANK,
  agencyDays: DAYS,
  receipts: RECEIPTS,
  moneyReceived: MONEY_RECEIVED,
  refunds: REFUNDS,
  registrations: REGISTRATIONS,
  webhooks: WEBHOOKS,
  notices: NOTICES,
} as const satisfies Readonly<Record<string, MeasureGroup>>;

export type GroupName = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as readonly GroupName[];
export const groupOf = (name: GroupName): MeasureGroup => GROUPS[name];

/** The group that each measure belongs to. */
export const GROUP_OF_MEASURE: ReadonlyMap<string, GroupName> = new Map(
  GROUP_NAMES.flatMap((group) => Object.keys(GROUPS[group].measures).map((measure) => [measure, group] as const)),
);
