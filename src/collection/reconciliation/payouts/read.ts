import type { Call } from '../../../platform/call/call.ts';
import { type Sql, empty, joined, sql } from '../../../platform/database/sql.ts';
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

interface Account {
  readonly mda: string;
  readonly key: string;
  readonly fromAt: Date | null;
}

/**
 * What providers took for agencies, and for those that have the same accounts, and what banks say of it; of some days
 * before and after too, which lines may be about. Payments are read of the copy of facts, everything else of the rail.
 */
export async function readBooks(call: Call, { from, to, agencies }: Asked): Promise<Books> {
  const accounts = await call.db.rows<Account>(sql`
    select mda, key, from_at as "fromAt" from agency_account
    where ${agencies === null ? sql`true` : sql`key in (select key from agency_account where mda = any(${agencies}))`}
    order by mda, from_at desc nulls last`);
  const span = { from: addDays(from, -LONGEST_SPAN), to: addDays(to, LONGEST_SPAN) };
  const holders = Map.groupBy(accounts, ({ key }) => key);
  const [expected, gone, credits] = await Promise.all([
    readExpected(call, span, accounts),
    readGone(call, span, [...new Set(accounts.map(({ mda }) => mda))]),
    readCredits(call, span, [...holders.keys()]),
  ]);
  return {
    parts: [...expected, ...gone],
    credits,
    holders: new Map([...holders].map(([key, of]) => [key, [...new Set(of.map(({ mda }) => mda))]])),
  };
}

type Days = Pick<Asked, 'from' | 'to'>;

/** Payments by the account that the agency had at their moment. */
async function readExpected(call: Call, { from, to }: Days, accounts: readonly Account[]): Promise<Part[]> {
  if (accounts.length === 0) return [];
  const keyAt = joined(
    accounts.map(
      ({ mda, key, fromAt }) =>
        sql`when mda = ${mda}${fromAt ? sql` and occurred_at >= ${fromAt.toISOString().slice(0, -1)}::timestamp` : empty} then ${key}`,
    ),
    ' ',
  );
  const mdas = [...new Set(accounts.map(({ mda }) => mda))];
  return call.analytics.rows<Part>(sql`
    select * from (
      select mda, case ${keyAt} end as key, provider, currency, local_day::varchar as day, sum(amount) as amount,
        'expected' as of
      from payment
      where kind = 'payment' and mda = any(${mdas}::text[]) and local_day between ${from}::date and ${to}::date
        and provider not in (${joined(NOT_PAID_OUT.map((name) => sql`${name}`))})
      group by all) p where key is not null order by day, mda, provider, currency`);
}

/** Days are told by the clock of the agency, and accounts are those of the moment. */
const localDay = (at: Sql) => sql`(${at} at time zone z.time_zone)::date`;

const heldAt = (at: Sql) => sql`
  join agency_calendar z on z.mda = p.mda
  join agency_account a on a.mda = p.mda and (a.from_at is null or a.from_at <= ${at}) and (a.to_at is null or a.to_at > ${at})`;

/**
 * What providers gave back for agencies, on the day on which it was recorded; and fees that they keep, on the day of the
 * payment that their statements name. Each fee counts once, whichever statements have it; agencies bear it by their
 * shares, no finer than it is.
 */
function readGone({ db, config }: Call, { from, to }: Days, mdas: readonly string[]): Promise<Part[]> {
  const [first, last] = [sql`(${from}::date - 1)::timestamptz`, sql`(${to}::date + 2)::timestamptz`];
  const net = listPayingOut(config).filter((name) => termsOf(config, name).netOfFees);
  return db.rows<Part>(sql`
    select p.mda, a.key, p.provider, p.currency, ${localDay(sql`p.at`)}::text as day, sum(p.amount) as amount, 'refunded' as of
    from (
      select s.mda, i.aggregator as provider, r.currency, r.done_at as at, s.amount
      from refund r join refund_share s on s.refund = r.name join payment_intent i on i.name = r.intent
      where r.status = 'Done' and r.method in ('provider', 'chargeback') and r.done_at between ${first} and ${last}
        and s.mda = any(${mdas}) and i.aggregator <> all(${NOT_PAID_OUT})
    ) p ${heldAt(sql`p.at`)}
    where ${localDay(sql`p.at`)} between ${from}::date and ${to}::date group by 1, 2, 3, 4, 5
    union all
    select p.mda, a.key, p.provider, p.currency, ${localDay(sql`p.occurred_at`)}::text, sum(p.amount), 'fees'
    from (
      select e.mda, f.provider, e.currency, e.occurred_at,
        round(f.amount * sum(e.amount) over before / sum(e.amount) over whole, f.digits)
          - round(f.amount * (sum(e.amount) over before - e.amount) / sum(e.amount) over whole, f.digits) as amount
      from (
        select distinct on (n.provider, i.intent, i.reference, i.txn_id, i.statement_amount) i.name, n.provider, i.intent,
          i.statement_currency as currency, abs(i.statement_amount) as amount, scale(trim_scale(i.statement_amount)) as digits
        from reconciliation_run n join reconciliation_item i on i.run = n.name
        where i.outcome = 'fee' and i.intent is not null and n.provider = any(${net}) and n.to_at >= ${first}
      ) f join payment_event e on e.intent = f.intent and e.kind = 'payment' and e.currency = coalesce(f.currency, e.currency)
      where e.occurred_at between ${first} and ${last} and e.amount > 0
      window whole as (partition by f.name), before as (partition by f.name order by e.mda)
    ) p ${heldAt(sql`p.occurred_at`)}
    where p.mda = any(${mdas}) and ${localDay(sql`p.occurred_at`)} between ${from}::date and ${to}::date group by 1, 2, 3, 4, 5`);
}

/** Lines of banks that are of a provider's days: what it paid out, and what it took back of an account for a refund. */
function readCredits({ db }: Call, { from, to }: Days, keys: readonly string[]): Promise<(Place & Credit)[]> {
  return db.rows<Place & Credit>(sql`
    select a.key, l.provider, l.currency, l.from_on::text as "from", l.to_on::text as "to", l.amount, l.value_on::text as "valueOn"
    from (select distinct account, key from agency_account where key = any(${keys})) a join bank_line l on l.account = a.account
    where l.kind in ('payout', 'refund') and l.provider is not null and l.to_on >= ${from}::date and l.from_on <= ${to}::date
    order by l.from_on, l.name`);
}
