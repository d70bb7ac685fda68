import { findPayouts } from '../../../collection/reconciliation/payouts/find.ts';
import { NOT_PAID_OUT } from '../../../collection/reconciliation/payouts/terms.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type Decimal, zero } from '../../../kernel/money.ts';
import { addDays } from '../../../kernel/time.ts';
import type { DayOfProvider, OverDay, UnknownLines } from './contents.ts';

/** The accounts that an agency has and had. */
export const accountsOf = (mda: string): Sql => sql`(select account from agency_account where mda = ${mda})`;

/** Days before a day whose payouts may be missing on it. */
const MOST_DAYS = 92;

interface Amount {
  readonly provider: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * What providers took for the agency on a day, by provider and currency; the payouts that were found at the bank on it,
 * whichever days they are of; and what was due by then since the first statement of the bank, and is not there.
 */
export async function readPayouts(call: Call, over: OverDay): Promise<DayOfProvider[]> {
  const [expected, bank] = await Promise.all([readExpected(call, over), readBank(call, over)]);
  const [arrived, missing] = bank.isOwn
    ? await Promise.all([readArrived(call, over), readMissing(call, over, bank)])
    : [];
  const keyOf = ({ provider, currency }: Pick<Amount, 'provider' | 'currency'>) => `${provider} ${currency}`;
  const [due, came, lacks] = [expected, arrived, missing].map((amounts) => Map.groupBy(amounts ?? [], keyOf));
  const amountOf = (of: typeof due, key: string) =>
    (of?.get(key) ?? []).reduce((sum, one) => sum.plus(one.amount), zero);
  return [...new Set([due, came, lacks].flatMap((of) => [...of!.keys()]))].toSorted().map((key) => {
    const [provider, currency] = key.split(' ') as [string, string];
    return {
      provider,
      currency,
      expected: amountOf(due, key),
      arrived: arrived ? amountOf(came, key) : null,
      missing: missing ? amountOf(lacks, key) : null,
    };
  });
}

function readExpected({ db }: Call, { mda, from, to }: OverDay): Promise<Amount[]> {
  return db.rows(sql`
    select i.aggregator as provider, e.currency, sum(e.amount) as amount
    from payment_event e join payment_intent i on i.name = e.intent
    where e.mda = ${mda} and e.occurred_at >= ${from}::timestamptz and e.occurred_at < ${to}::timestamptz
      and e.kind = 'payment' and i.aggregator <> all(${NOT_PAID_OUT}) group by 1, 2`);
}

interface Bank {
  /** True where the bank's statements are of this agency alone, and some were sent. */
  readonly isOwn: boolean;
  /** The first day of the first of them. */
  readonly since: string | null;
}

async function readBank({ db }: Call, { mda, to }: OverDay): Promise<Bank> {
  const row = await db.row<{ since: string | null; isShared: boolean }>(sql`
    select (select min(coalesce(s.from_on, s.created_at::date))::text from bank_statement s
        where s.account in ${accountsOf(mda)} and s.created_at < ${to}::timestamptz) as since,
      exists (select from agency_account o where o.mda <> ${mda} and o.account in ${accountsOf(mda)}) as "isShared"`);
  const { since, isShared } = row!;
  return { since, isOwn: since !== null && !isShared };
}

function readArrived({ db }: Call, { mda, from, to }: OverDay): Promise<Amount[]> {
  return db.rows(sql`
    select provider, currency, sum(amount) as amount from bank_line
    where kind in ('payout', 'refund') and provider is not null and account in ${accountsOf(mda)}
      and updated_at >= ${from}::timestamptz and updated_at < ${to}::timestamptz group by 1, 2`);
}

async function readMissing(call: Call, { mda, day, to }: OverDay, { since }: Bank): Promise<Amount[]> {
  // As it was when the day ended, whenever it is closed.
  const then = { ...call, now: () => new Date(to) };
  const payouts = await findPayouts(then, { from: addDays(day, -MOST_DAYS), to: day, agencies: [mda] });
  return payouts.flatMap(({ provider, currency, state, dueOn, difference }) =>
    (state === 'missing' || state === 'short') && dueOn <= day && dueOn >= since! && difference
      ? [{ provider, currency, amount: difference.negated() }]
      : [],
  );
}

/** Lines of the agency's accounts that were there at the end of a day, and that nothing explained by then. */
export function readUnknown({ db }: Call, { mda, to }: OverDay): Promise<UnknownLines[]> {
  return db.rows<UnknownLines>(sql`
    select l.currency, count(*) as lines, coalesce(sum(l.amount) filter (where l.amount > 0), 0) as credits,
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0) as debits
    from bank_line l join bank_statement s on s.name = l.statement
    where l.account in ${accountsOf(mda)} and s.created_at < ${to}::timestamptz
      and (l.kind = 'unknown' or l.updated_at >= ${to}::timestamptz)
    group by 1 order by 1`);
}
