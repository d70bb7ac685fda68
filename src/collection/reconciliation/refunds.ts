import type { Call } from '../../platform/call/call.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { type Decimal, zero } from '../../kernel/money.ts';
import type { Recorded } from './compare.ts';
import type { StatementRow } from './read.ts';

/** A payment that rows below zero name, with one of its refunds; null where it has none that its provider paid. */
interface Found {
  readonly intent: string;
  readonly collection: string | null;
  readonly currency: string;
  readonly refund: string | null;
  readonly reference: string | null;
  readonly number: string | null;
  readonly amount: Decimal | null;
  readonly done: boolean;
  /** True if a statement of another period has it. */
  readonly elsewhere: boolean;
}

interface Statement {
  readonly provider: string;
  readonly fromAt: Date;
  readonly toAt: Date;
}

/**
 * What went back of payments, for each row below zero that names a refund or a payment. One that names a payment is about
 * its refund of that amount, or else about another one that no row names. Other rows are fees.
 */
export async function findRefunds(
  { db }: Call,
  { provider, fromAt, toAt }: Statement,
  rows: readonly StatementRow[],
): Promise<Map<StatementRow, Recorded>> {
  const back = rows.filter(({ kind, amount }) => !kind && amount.isNegative());
  if (back.length === 0) return new Map();
  const references = [...new Set(back.flatMap(({ reference, txnId }) => [reference, txnId ?? reference]))];
  const found = await db.rows<Found>(sql`
    with named as (select jsonb_array_elements_text(${json(references)}::jsonb) as reference), paid as (
      select name from payment_intent where name in (select reference from named)
      union select name from payment_intent where aggregator_reference in (select reference from named)
      union select intent from refund where name in (select reference from named)
        or reference in (select reference from named) or provider_reference in (select reference from named))
    select i.name as intent, i.aggregator_reference as collection, i.currency, r.name as refund, r.reference,
      r.provider_reference as number, -r.amount as amount, coalesce(r.status = 'Done', false) as done, exists (
        select from reconciliation_item s join reconciliation_run n on n.name = s.run
        where s.outcome = 'matched' and s.refund = r.name and n.provider = ${provider}
          and s.reference in (i.name, i.aggregator_reference, r.name, r.reference, r.provider_reference)
          and (n.to_at <= ${fromAt} or n.from_at >= ${toAt})) as elsewhere
    from paid p join payment_intent i on i.name = p.name
    left join refund r on r.intent = i.name and r.method in ('provider', 'chargeback') and r.status <> 'Declined'
    where i.aggregator = ${provider} order by r.created_at, r.name`);
  const refunds = found.filter(({ refund }) => refund !== null);
  const byNumber = indexBy(refunds, ({ refund, reference, number }) => [refund, reference, number]);
  const byPayment = indexBy(found, ({ intent, collection }) => [intent, collection]);
  const of = new Map<StatementRow, Found>();
  for (const row of back) {
    const named = byNumber.get(row.reference) ?? byNumber.get(row.txnId ?? '');
    if (named) of.set(row, named[0]!);
  }
  const taken = new Set(of.values());
  for (const row of back) {
    if (of.has(row)) continue;
    const payments = byPayment.get(row.reference) ?? [];
    const free = payments.filter((one) => one.refund !== null && !one.elsewhere && !taken.has(one));
    const one = free.find(({ amount }) => amount!.equals(row.amount)) ?? free[0];
    if (one) taken.add(one);
    if (payments[0]) of.set(row, one ?? { ...payments[0], refund: null, amount: null, done: false });
  }
  return new Map([...of].map(([row, one]) => [row, recordedOf(row, one)]));
}

/** Records by each of their names. */
function indexBy(records: readonly Found[], namesOf: (one: Found) => readonly (string | null)[]): Map<string, Found[]> {
  const index = new Map<string, Found[]>();
  for (const one of records)
    for (const name of new Set(namesOf(one))) if (name !== null) index.set(name, [...(index.get(name) ?? []), one]);
  return index;
}

function recordedOf(
  { reference, txnId, line }: StatementRow,
  { intent, refund, amount, currency, done }: Found,
): Recorded {
  return {
    // Each that nobody asked for is one of its own, unless it has the number of another.
    name: refund ?? `${reference}:${txnId ?? line}`,
    reference,
    status: null,
    received: done,
    amount: amount ?? zero,
    currency,
    within: false,
    back: { intent, refund },
  };
}
