import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { sum, zero } from '../../../kernel/money.ts';
import { readPayouts, readUnknown } from './bank.ts';
import type { DayContents, DayInCurrency, OverDay, SealRange, Takings } from './contents.ts';

/** All that there is of a day; null while an event of it waits for its seal. */
export async function readDay(call: Call, over: OverDay): Promise<DayContents | null> {
  const { mda, day, from, to } = over;
  const [seals, sums, payouts, unknown] = await Promise.all([
    readSeals(call, over),
    readSums(call, over),
    readPayouts(call, over),
    readUnknown(call, over),
  ]);
  if (!seals) return null;
  return { version: 1, agency: mda, day, from, to, currencies: addUp(over, sums), ...seals, payouts, unknown };
}

/** An event `e` of the agency that occurred on the day. */
const isOf = ({ mda, from, to }: OverDay): Sql =>
  sql`e.mda = ${mda} and e.occurred_at >= ${from}::timestamptz and e.occurred_at < ${to}::timestamptz`;

async function readSeals({ db }: Call, over: OverDay): Promise<Pick<DayContents, 'seals' | 'head'> | null> {
  const rows = await db.rows<{ first: number | null; last: number; head: string }>(sql`
    select min(sequence) as first, max(sequence) as last, (array_agg(hash order by sequence desc))[1] as head from (
      select s.sequence, s.hash, s.sequence - row_number() over (order by s.sequence) as island
      from payment_event e left join event_seal s on s.event = e.name where ${isOf(over)}) n
    group by island order by 1`);
  if (rows.some(({ first }) => first === null)) return null;
  return { seals: rows.map(({ first, last }): SealRange => [first!, last]), head: rows.at(-1)?.head ?? null };
}

interface Summed extends Takings {
  readonly currency: string;
  /** Null of sums by service. */
  readonly channel: string | null;
  readonly service: string | null;
  readonly code: string | null;
}

/** Sums by channel, and by service. By service, a payment counts once for each that it pays. */
function readSums({ db }: Call, over: OverDay): Promise<Summed[]> {
  const count = (kind: string) => sql`case when grouping(e.channel) = 1 then count(*) filter (where e.kind = ${kind})
    else count(*) filter (where e.kind = ${kind} and e.leads) end`;
  return db.rows<Summed>(sql`
    select e.currency, e.channel::text as channel, nullif(e.service, '') as service, v.code,
      coalesce(sum(e.amount) filter (where e.kind = 'payment'), 0) as collected,
      coalesce(-sum(e.amount) filter (where e.kind = 'reversal'), 0) as reversed,
      ${count('payment')} as payments, ${count('reversal')} as reversals
    from event_share e left join service v on v.name = e.service where ${isOf(over)}
    group by grouping sets ((e.currency, e.channel), (e.currency, e.service, v.code)) order by 1, 2, 3 nulls last`);
}

/** Each currency that the agency ever had, also on a day without any of it. */
function addUp({ before }: OverDay, sums: readonly Summed[]): DayInCurrency[] {
  const openings = new Map(before?.currencies.map(({ currency, closing }) => [currency, closing]));
  return [...new Set([...openings.keys(), ...sums.map(({ currency }) => currency)])].toSorted().map((currency) => {
    const own = sums.filter((row) => row.currency === currency);
    const channels = own.flatMap(({ channel, collected, reversed, payments, reversals }) =>
      channel === null ? [] : [{ channel, collected, reversed, payments, reversals }],
    );
    const opening = openings.get(currency) ?? zero;
    const [collected, reversed] = [sum(channels.map((row) => row.collected)), sum(channels.map((row) => row.reversed))];
    return {
      currency,
      opening,
      collected,
      reversed,
      closing: opening.plus(collected).minus(reversed),
      payments: channels.reduce((count, { payments }) => count + payments, 0),
      reversals: channels.reduce((count, { reversals }) => count + reversals, 0),
      channels,
      services: own.flatMap(({ channel, currency: _same, ...row }) => (channel === null ? [row] : [])),
    };
  });
}
