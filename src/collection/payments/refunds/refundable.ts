import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { loadByOwner } from '../../../platform/reading/batch.ts';
import type { RefundMethod } from '../../../generated/prisma/enums.ts';
import type { PaymentIntent as IntentRecord } from '../../../generated/prisma/client.ts';
import type { Refund } from './find.ts';
import type { Share } from './shares.ts';

/** Years for which a payment can be refunded. */
const MOST_YEARS = 5;

/** Days for which a payment in cash can be refunded in cash. */
const CASH_DAYS = 30;

/** A way in which a payment can be refunded, and until when. */
export interface OpenMethod {
  readonly method: RefundMethod;
  readonly until: Date;
  /** True if it can give back a part of the payment. */
  readonly partial: boolean;
}

/**
 * What is left of a Confirmed payment by line: of each as much as was paid, less what refunds gave back or are about to.
 * Nothing is left of a payment that its cancellation reversed.
 */
export const readLeftOf = loadByOwner<Share & { readonly intent: string }>(
  ({ intent }) => intent,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`
      select i.name as intent, s.idx, s.mda, s.amount - coalesce(b.amount, 0) as amount
      from payment_intent i cross join lateral (
        select l.idx, l.mda, l.amount from assessment_line l
        where l.assessment = i.assessment and l.amount > 0 and not i.split_override
        union all select 0, p.mda, p.amount from split_rule p where p.intent = i.name and i.split_override) s
      left join lateral (
        select sum(h.amount) as amount from refund r join refund_share h on h.refund = r.name
        where r.intent = i.name and h.idx = s.idx and h.mda = s.mda and r.status not in ('Declined', 'Failed')) b on true
      where i.name = any(${names}) and i.status = 'Confirmed' and s.amount > coalesce(b.amount, 0)
        and not exists (
          select from payment_event e where e.intent = i.name and e.kind = 'reversal' and e.refund is null)
      order by i.name, s.idx, s.mda collate "C"`),
);

/** True if agencies would give back more by a refund than is left of what they were paid. */
export async function isMoreThanLeft({ db }: Pick<Call, 'db'>, { name, intent, booked }: Refund): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from split_rule s join lateral (
      select sum(h.amount) as amount from refund_share h where h.refund = ${name} and h.mda = s.mda) own on true
    where s.intent = ${intent} and not ${booked} and own.amount > s.amount
      + coalesce((select sum(e.amount) from payment_event e where e.intent = s.intent and e.mda = s.mda and e.kind = 'reversal'), 0)
      - coalesce((select sum(h.amount) from refund r join refund_share h on h.refund = r.name
          where r.intent = s.intent and h.mda = s.mda and not r.booked and r.status in ('Requested', 'Approved', 'Sent')), 0)`);
  return row !== null;
}

/** The amounts of the refunds of an assessment: what they gave back, and what a cancellation still owes the payer. */
export const readRefundedOf = loadByOwner<{
  readonly assessment: string;
  readonly refunded: Decimal;
  readonly due: Decimal;
}>(
  ({ assessment }) => assessment,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`
      select r.assessment, coalesce(sum(r.amount) filter (where r.status = 'Done'), 0) as refunded,
        coalesce(sum(r.amount) filter (where r.booked and r.status <> 'Done'), 0) as due
      from refund r where r.assessment = any(${names}) group by r.assessment`),
);

/** The amount that refunds of a payment gave back. */
export const readRefundedOfIntent = loadByOwner<{ readonly intent: string; readonly refunded: Decimal }>(
  ({ intent }) => intent,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`
      select intent, sum(amount) as refunded from refund where intent = any(${names}) and status = 'Done' group by intent`),
);

/** A refund as the payer sees it. */
export type ToPayer = Pick<Refund, 'amount' | 'currency' | 'method' | 'paidOn' | 'doneAt'>;

/** The refunds of a payment that were paid or are to be, the first ones first. One that its provider could not pay goes by transfer. */
export const readToPayerOf = loadByOwner<ToPayer & { readonly intent: string }>(
  ({ intent }) => intent,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`
      select intent, amount, currency, case when status = 'Failed' then 'transfer' else method::text end as method,
        paid_on as "paidOn", done_at as "doneAt"
      from refund where intent = any(${names}) and status not in ('Requested', 'Declined') order by created_at, name`),
);

/** The ways in which a payment can be refunded, of which so much is left in all. */
export function methodsOf(
  { rail, now, viewer }: Pick<Call, 'rail' | 'now' | 'viewer'>,
  { aggregator, amount, channel, confirmedAt }: Pick<IntentRecord, 'aggregator' | 'amount' | 'channel' | 'confirmedAt'>,
  left: Decimal,
): OpenMethod[] {
  if (confirmedAt === null) return [];
  const last = new Date(confirmedAt);
  last.setUTCFullYear(last.getUTCFullYear() + MOST_YEARS);
  const rules = rail.aggregators.get(aggregator)?.refunds;
  const within = (most: number | null) => (most === null ? last : new Date(confirmedAt.getTime() + most * DAY_MS));
  const open: OpenMethod[] = [{ method: 'transfer', until: last, partial: true }];
  // Staff alone enter what a provider or bank took back.
  if (channel !== 'cash' && viewer.kind === 'staff') open.push({ method: 'chargeback', until: last, partial: true });
  if (channel === 'cash') open.unshift({ method: 'cash', until: within(CASH_DAYS), partial: true });
  if (rules && (rules.several || left.equals(amount)))
    open.unshift({ method: 'provider', until: within(rules.withinDays), partial: rules.partial });
  return open.filter(({ until }) => until > now());
}
