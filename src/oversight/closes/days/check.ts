import { findSigningKey } from '../../../collection/receipts/signature.ts';
import { listReceiptKeys } from '../../../collection/receipts/keys.ts';
import { columnsOf } from '../../../platform/database/record.ts';
import { type Database, json, sql } from '../../../platform/database/sql.ts';
import { type Decimal, zero } from '../../../kernel/money.ts';
import { formatDay } from '../../../kernel/time.ts';
import { type DayContents, readContents } from './contents.ts';
import type { AgencyDay } from './find.ts';

/** A closed day that is not as it was, or is gone. */
interface BrokenDay {
  readonly row: string;
  readonly mda: string;
  readonly why: string;
}

/** A closed day, with what the operators' audit says of its confirmation. */
interface CheckedDay extends AgencyDay {
  readonly audited: { readonly actor: string; readonly reason: string | null; readonly soon: boolean } | null;
}

const BATCH = 200;

/** Verifies closed days against their keys, the days before, and the events that have their seals. */
export async function* checkDays(db: Database): AsyncGenerator<BrokenDay> {
  const keys = await listReceiptKeys({ db });
  let before: CheckedDay | null = null;
  /** What that one says; null where nobody signed it, which is a fault of its own. */
  let ended: DayContents | null = null;
  for (;;) {
    const days: CheckedDay[] = await db.rows<CheckedDay>(sql`
      select ${columnsOf('AgencyDay')}, (
        select jsonb_build_object('actor', o.actor, 'reason', o.reason, 'soon', r.confirmed_at between o.at - interval '1 hour' and o.at)
        from operator_audit o where o.subject = r.name and o.action = 'agency_day.confirm' order by o.id desc limit 1) as audited
      from agency_day r where (r.mda, r.day) > (${before?.mda ?? ''}, ${before ? formatDay(before.day) : '0001-01-01'}::date)
      order by r.mda, r.day limit ${BATCH}`);
    const signed = new Set(days.filter((day) => findSigningKey(keys, day)));
    const sums = await sumSealed(db, [...signed]);
    for (const day of days) {
      const last: CheckedDay | null = before?.mda === day.mda ? before : null;
      const contents = signed.has(day) ? readContents(day.payload) : null;
      const why = contents ? findFault(day, contents, last, ended, sums) : 'no key of the rail signed what it says';
      if (why) yield { row: day.name, mda: day.mda, why };
      [before, ended] = [day, contents];
    }
    if (days.length < BATCH) break;
  }
  yield* await db.rows<BrokenDay>(sql`
    select distinct o.object as row, o.agency as mda, 'agencies were notified of it, and it is not there' as why from outbox o
    where o.type = 'agency_day.closed' and not exists (select from agency_day r where r.name = o.object)`);
}

interface Sealed {
  readonly name: string;
  readonly currency: string;
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly head: string;
}

/** Sums over the events whose seals some days have, by their names. */
async function sumSealed(db: Database, days: readonly AgencyDay[]): Promise<Map<string, Sealed[]>> {
  const ranges = days.flatMap(({ name, mda, payload }) =>
    readContents(payload).seals.map(([first, last]) => ({ name, mda, first, last })),
  );
  const rows = await db.rows<Sealed>(sql`
    select n.name, e.currency, coalesce(sum(e.amount) filter (where e.kind = 'payment'), 0) as collected,
      coalesce(-sum(e.amount) filter (where e.kind = 'reversal'), 0) as reversed,
      (array_agg(s.hash order by s.sequence desc))[1] as head
    from jsonb_to_recordset(${json(ranges)}::jsonb) as n (name text, mda text, first bigint, last bigint)
    join event_seal s on s.mda = n.mda and s.sequence between n.first and n.last join payment_event e on e.name = s.event
    group by 1, 2`);
  return Map.groupBy(rows, ({ name }) => name);
}

/** What is wrong with a day that a key of the rail signed. */
function findFault(
  day: CheckedDay,
  contents: DayContents,
  before: CheckedDay | null,
  ended: DayContents | null,
  sums: ReadonlyMap<string, readonly Sealed[]>,
): string | null {
  const { name, mda, audited } = day;
  if (contents.agency !== mda || contents.day !== formatDay(day.day) || `${mda}.${contents.day}` !== name)
    return `what was signed is the day ${contents.day} of ${contents.agency}`;
  if (contents.head !== day.head) return 'ends with another seal than what was signed';
  if (day.previous !== (before?.name ?? null)) return 'the day before it is missing, or was added';
  if (before === null ? !beginsAnew(contents) : ended && !followsOn(contents, ended))
    return 'begins otherwise than the day before it ended';
  if (!isSealedSo(contents, sums.get(name) ?? [])) return 'says other amounts than the events with its seals';
  if (!(day.confirmedAt ? audited?.soon : !audited)) return 'was confirmed at another time, or not';
  return (audited?.actor ?? null) === day.confirmedBy && (audited?.reason ?? null) === day.note
    ? null
    : 'was confirmed by somebody else, or with another note';
}

const beginsAnew = ({ currencies }: DayContents) => currencies.every(({ opening }) => opening.isZero());

function followsOn({ currencies, from }: DayContents, ended: DayContents): boolean {
  const openings = new Map(currencies.map(({ currency, opening }) => [currency, opening]));
  const closings = new Map(ended.currencies.map(({ currency, closing }) => [currency, closing]));
  return (
    ended.to === from &&
    [...new Set([...openings.keys(), ...closings.keys()])].every((currency) =>
      openings.get(currency)?.equals(closings.get(currency) ?? zero),
    )
  );
}

function isSealedSo({ currencies, head }: DayContents, sealed: readonly Sealed[]): boolean {
  const of = new Map(sealed.map((row) => [row.currency, row]));
  return (
    sealed.every(({ currency }) => currencies.some((one) => one.currency === currency)) &&
    (head === null ? sealed.length === 0 : sealed.some((row) => row.head === head)) &&
    currencies.every(({ currency, opening, collected, reversed, closing }) => {
      const row = of.get(currency);
      return (
        collected.equals(row?.collected ?? zero) &&
        reversed.equals(row?.reversed ?? zero) &&
        closing.equals(opening.plus(collected).minus(reversed))
      );
    })
  );
}
