import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { addDays } from '../../../kernel/time.ts';
import type { Credit } from './share-out.ts';
import { NOT_PAID_OUT, listPayingOut, termsOf } from './terms.ts';

/** The longest span of days that a line pays out. */
export const LONGEST_SPAN = 31;

/** Days by the clock of their agency, as `YYYY-MM-DD`, and the agencies that they are of; null: all. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly agencies: readonly string[] | null;
}

/** What one provider is to pay out to an account in one currency. */
interface Place {
  /** The account, by a key that says nothing of it. */
  readonly key: string;
  readonly provider: string;
  readonly currency: string;
}

/** A part of what an agency is to get of a day. */
export interface Part extends Place {
  readonly mda: string;
  readonly day: string;
  readonly amount: Decimal;
  readonly of: 'expected' | 'fees' | 'refunded';
}

export interface Books {
  readonly parts: readonly Part[];
  readonly credits: readonly (Place & Credit)[];
  /** The agencies that each account is of. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/**
 * What providers took for agencies, and for those that have the same accounts, and what banks say of it; of some days
 * before and after too, which lines may be about. Payments, refunds and fees are read of the copy of facts.
 */
export async function readBooks(call: Call, { from, to, agencies }: Asked): Promise<Books> {
  const accounts = await call.db.rows<{ mda: string; key: string }>(sql`
    select distinct mda, key from agency_account
    where ${agencies === null ? sql`true` : sql`key in (select key from agency_account where mda = any(${agencies}))`}
    order by mda`);
  const span = { from: addDays(from, -LONGEST_SPAN), to: addDays(to, LONGEST_SPAN) };
  const holders = Map.groupBy(accounts, ({ key }) => key);
  const keys = [...holders.keys()];
  const [parts, credits] = await Promise.all([
    call.analytics.rows<Part>(sql`
      select mda, key, provider, currency, day::varchar as day, part as of, sum(amount) as amount from (${selectOwed(call)}) p
      where list_contains(${keys}::varchar[], key) and day between ${span.from}::date and ${span.to}::date
      group by all order by day, mda, provider, currency, of`),
    readCredits(call, span, keys),
  ]);
  return { parts, credits, holders: new Map([...holders].map(([key, of]) => [key, of.map(({ mda }) => mda)])) };
}

/**
 * What agencies are to get, of the copy of facts, by the account that they had at its moment: payments through providers,
 * and what these gave back on the day on which it was recorded, or keep as fees.
 */
export function selectOwed({ config }: Pick<Call, 'config'>): Sql {
  const keepers = listPayingOut(config).filter((name) => termsOf(config, name).netOfFees);
  return sql`
    select a.key, p.mda, p.provider, p.currency, p.day, p.amount, p.part from (
      select mda, provider, currency, local_day as day, occurred_at as at, amount, 'expected' as part from payment where kind = 'payment'
      union all
      select mda, provider, currency, local_day, local_day::timestamp, amount, 'refunded' from refund where method in ('provider', 'chargeback')
      union all
      select mda, provider, currency, local_day, occurred_at, amount, 'fees' from withheld where list_contains(${keepers}::varchar[], provider)
    ) p join account a on a.mda = p.mda and p.at >= coalesce(a.from_at, '-infinity') and p.at < coalesce(a.to_at, 'infinity')
    where not list_contains(${[...NOT_PAID_OUT]}::varchar[], p.provider)`;
}

type Days = Pick<Asked, 'from' | 'to'>;

/** Lines of banks that are of a provider's days: what it paid out, and what it took back of an account for a refund. */
function readCredits({ db }: Call, { from, to }: Days, keys: readonly string[]): Promise<(Place & Credit)[]> {
  return db.rows<Place & Credit>(sql`
    select a.key, l.provider, l.currency, l.from_on::text as "from", l.to_on::text as "to", l.amount, l.value_on::text as "valueOn"
    from (select distinct account, key from agency_account where key = any(${keys})) a join bank_line l on l.account = a.account
    where l.kind in ('payout', 'refund') and l.provider is not null and l.to_on >= ${from}::date and l.from_on <= ${to}::date
    order by l.from_on, l.name`);
}
