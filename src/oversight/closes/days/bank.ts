import { findPayouts } from '../../../collection/reconciliation/payouts/find.ts';
import { NOT_PAID_OUT } from '../../../collection/reconciliation/payouts/terms.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type Decimal, sum } from '../../../kernel/money.ts';
import { addDays } from '../../../kernel/time.ts';
import type { DayContents, DayOfProvider, OverDay, UnknownLines } from './contents.ts';
import { isIn, nthOf } from './over.ts';

/** The accounts that an agency has and had. */
export const accountsOf = (mda: string | Sql): Sql => sql`(select account from agency_account where mda = ${mda})`;

/** The first day of an agency that somebody is to confirm: that of the first statement of its bank, or of all without one. */
export const firstToConfirm = (mda: Sql): Sql => sql`coalesce((
  select min(coalesce(s.from_on, s.created_at::date)) from bank_statement s where s.account in ${accountsOf(mda)}), '-infinity')`;

/** Days before a day whose payouts may be missing on it. */
const MOST_DAYS = 92;

interface Amount {
  readonly provider: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * What providers took for the agency on each of some days, by provider and currency; the payouts that were found at the
 * bank on it, whichever days they are of; and what was due by then since the first statement of the bank, and is not
 * there. Also what nothing explained by then.
 */
export async function readBanks(
  call: Call,
  days: readonly OverDay[],
): Promise<readonly Pick<DayContents, 'payouts' | 'unknown'>[]> {
  const [expected, first] = await Promise.all([readExpected(call, days), readFirstStatement(call, days[0]!.mda)]);
  const banks: Pick<DayContents, 'payouts' | 'unknown'>[] = [];
  for (const [nth, over] of days.entries()) {
    // Most days of a long past are before the first statement.
    const isBanked = first !== null && first.toISOString() < over.to;
    const bank = isBanked ? await readBank(call, over) : null;
    const [arrived, missing] = bank?.isOwn
      ? await Promise.all([readArrived(call, over), readMissing(call, over, bank)])
      : [null, null];
    const unknown = isBanked ? await readUnknown(call, over) : [];
    banks.push({ payouts: addUp(expected.get(nth) ?? [], arrived, missing), unknown });
  }
  return banks;
}

/** By provider and currency; null is what nobody can tell. */
function addUp(
  expected: readonly Amount[],
  arrived: readonly Amount[] | null,
  missing: readonly Amount[] | null,
): DayOfProvider[] {
  const keyOf = ({ provider, currency }: Amount) => `${provider} ${currency}`;
  const amountOf = (amounts: readonly Amount[], key: string) =>
    sum(amounts.filter((one) => keyOf(one) === key).map(({ amount }) => amount));
  const keys = new Set([...expected, ...(arrived ?? []), ...(missing ?? [])].map(keyOf));
  return [...keys].toSorted().map((key) => {
    const [provider, currency] = key.split(' ') as [string, string];
    return {
      provider,
      currency,
      expected: amountOf(expected, key),
      arrived: arrived && amountOf(arrived, key),
      missing: missing && amountOf(missing, key),
    };
  });
}

async function readExpected({ db }: Call, days: readonly OverDay[]): Promise<ReadonlyMap<number, readonly Amount[]>> {
  const rows = await db.rows<Amount & { nth: number }>(sql`
    select ${nthOf(days)} as nth, i.aggregator as provider, e.currency, sum(e.amount) as amount
    from payment_event e join payment_intent i on i.name = e.intent
    where ${isIn(days)} and e.kind = 'payment' and i.aggregator <> all(${NOT_PAID_OUT}) group by 1, 2, 3`);
  return Map.groupBy(rows, ({ nth }) => nth);
}

async function readFirstStatement({ db }: Call, mda: string): Promise<Date | null> {
  const row = await db.row<{ first: Date | null }>(
    sql`select min(created_at) as first from bank_statement where account in ${accountsOf(mda)}`,
  );
  return row!.first;
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
function readUnknown({ db }: Call, { mda, to }: OverDay): Promise<UnknownLines[]> {
  return db.rows<UnknownLines>(sql`
    select l.currency, count(*) as lines, coalesce(sum(l.amount) filter (where l.amount > 0), 0) as credits,
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0) as debits
    from bank_line l join bank_statement s on s.name = l.statement
    where l.account in ${accountsOf(mda)} and s.created_at < ${to}::timestamptz
      and (l.kind = 'unknown' or l.updated_at >= ${to}::timestamptz)
    group by 1 order by 1`);
}
