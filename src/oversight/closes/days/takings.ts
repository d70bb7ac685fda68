import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sum, zero } from '../../../kernel/money.ts';
import { readBanks } from './bank.ts';
import { isIn, nthOf } from './over.ts';
import type { DayContents, DayInCurrency, OverDay, SealRange, Takings } from './contents.ts';

/** All that there is of days that follow each other; those from the first on of which an event waits for its seal are left out. */
export async function readDays(
  call: Call,
  days: readonly OverDay[],
  last: DayContents | null,
): Promise<readonly DayContents[]> {
  const [seals, sums, banks] = await Promise.all([readSeals(call, days), readSums(call, days), readBanks(call, days)]);
  const contents: DayContents[] = [];
  for (const [nth, { mda, day, from, to }] of days.entries()) {
    const islands = seals.get(nth) ?? [];
    if (islands.some(({ first }) => first === null)) break;
    const ranges = islands.map(({ first, last: end }): SealRange => [first!, end]);
    const head = islands.at(-1)?.head ?? null;
    const currencies = addUp(contents.at(-1) ?? last, sums.get(nth) ?? []);
    contents.push({ version: 1, agency: mda, day, from, to, currencies, seals: ranges, head, ...banks[nth]! });
  }
  return contents;
}

interface Island {
  readonly nth: number;
  /** Null where an event waits for its seal. */
  readonly first: number | null;
  readonly last: number;
  readonly head: string;
}

async function readSeals({ db }: Call, days: readonly OverDay[]): Promise<ReadonlyMap<number, readonly Island[]>> {
  const rows = await db.rows<Island>(sql`
    select nth, min(sequence) as first, max(sequence) as last, (array_agg(hash order by sequence desc))[1] as head from (
      select s.sequence, s.hash, ${nthOf(days)} as nth, s.sequence - row_number() over (partition by ${nthOf(days)} order by s.sequence) as island
      from payment_event e left join event_seal s on s.event = e.name where ${isIn(days)}) n
    group by nth, island order by nth, first`);
  return Map.groupBy(rows, ({ nth }) => nth);
}

interface Summed extends Takings {
  readonly nth: number;
  readonly currency: string;
  /** Null of sums by service. */
  readonly channel: string | null;
  readonly service: string | null;
  readonly code: string | null;
}

/** Sums by channel, and by service. By service, a payment counts once for each that it pays. */
async function readSums({ db }: Call, days: readonly OverDay[]): Promise<ReadonlyMap<number, readonly Summed[]>> {
  const count = (kind: string) => sql`case when grouping(e.channel) = 1 then count(*) filter (where e.kind = ${kind})
    else count(*) filter (where e.kind = ${kind} and e.leads) end`;
  const rows = await db.rows<Summed>(sql`
    select e.nth, e.currency, e.channel::text as channel, nullif(e.service, '') as service, v.code,
      coalesce(sum(e.amount) filter (where e.kind = 'payment'), 0) as collected,
      coalesce(-sum(e.amount) filter (where e.kind = 'reversal'), 0) as reversed,
      ${count('payment')} as payments, ${count('reversal')} as reversals
    from (select e.*, ${nthOf(days)} as nth from event_share e where ${isIn(days)}) e left join service v on v.name = e.service
    group by grouping sets ((e.nth, e.currency, e.channel), (e.nth, e.currency, e.service, v.code)) order by 1, 2, 3, 4 nulls last`);
  return Map.groupBy(rows, ({ nth }) => nth);
}

/** Each currency that the agency ever had, also on a day without any of it. */
function addUp(before: DayContents | null, sums: readonly Summed[]): DayInCurrency[] {
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
      services: own.flatMap(({ nth: _day, channel, currency: _same, ...row }) => (channel === null ? [row] : [])),
    };
  });
}
