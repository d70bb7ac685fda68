import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Explained, UnknownLine } from './lines.ts';

/** Docnames that banks are given: of payments, of refunds, and of shifts whose cash is paid in. */
const DOCNAME = /\b(?:PI|RFD|SHIFT)-\d{4}-\d\d(?:-\d\d)?-\d{3,}\b/g;

/** A payout's number has some digits, and is no common word. */
const isNumber = (text: string) => /^(?=.*\d)\S{6,}$/.test(text);

/** What a name in a line stands for; several payouts of one statement tell the provider alone. */
type Meaning = Explained | { readonly provider: string };

interface Found {
  /** null: it names several things; undefined: it names none that says its days. */
  readonly explained: Explained | null | undefined;
  readonly provider: string | null;
}

/** What lines of some agencies' account say themselves, by our names, or by the numbers of payouts in providers' statements. */
export async function findByName(
  { db }: Call,
  agencies: readonly string[],
  days: { readonly from: string; readonly to: string },
  lines: readonly UnknownLine[],
) {
  const docnames = [...new Set(lines.flatMap(({ words }) => words.match(DOCNAME) ?? []))];
  const ours = await db.rows<Explained & { name: string }>(sql`
    select i.name, 'payout' as kind, i.aggregator as provider, d.day as "from", d.day as "to", 'reference' as how
    from payment_intent i join payment_event e on e.intent = i.name and e.kind = 'payment' join agency_calendar z on z.mda = e.mda
      cross join lateral (select (e.occurred_at at time zone z.time_zone)::date::text as day) d
    where i.name = any(${docnames}) and e.mda = any(${agencies})
    union all
    select r.name, 'refund', p.provider, p.day, p.day, 'reference'
    from refund r join refund_share s on s.refund = r.name join agency_calendar z on z.mda = s.mda
      left join payment_intent i on i.name = r.intent
      left join lateral (select i.aggregator as provider, (r.done_at at time zone z.time_zone)::date::text as day
        where r.method in ('provider', 'chargeback')) p on true
    where r.name = any(${docnames}) and s.mda = any(${agencies}) and r.status = 'Done'
    union all
    select h.name, 'deposit', null, null, null, 'deposit' from counter_shift h
    where h.name = any(${docnames}) and h.mda = any(${agencies})`);
  const numbers = await db.rows<{ numbers: string[]; provider: string; from: string; to: string; alone: boolean }>(sql`
    select array[upper(i.reference), upper(i.txn_id)] as numbers, n.provider, d."from", d."to",
      count(*) over (partition by n.name) = 1 and d.days <= 7 as alone
    from reconciliation_run n join reconciliation_item i on i.run = n.name and i.outcome = 'payout'
      cross join lateral (select time_zone from agency_calendar where mda = ${agencies[0]!}) z
      cross join lateral (
        select (n.from_at at time zone z.time_zone)::date::text as "from",
          ((n.to_at - interval '1 millisecond') at time zone z.time_zone)::date::text as "to",
          extract(epoch from n.to_at - n.from_at) / 86400 as days) d
    where n.to_at >= ${days.from}::date and n.from_at <= ${days.to}::date + 1`);
  const meanings = new Map<string, Meaning[]>();
  const add = (name: string, meaning: Meaning) => meanings.set(name, [...(meanings.get(name) ?? []), meaning]);
  for (const { name, ...meaning } of ours) add(name, meaning);
  for (const { numbers: named, provider, from, to, alone } of numbers) {
    const meaning: Meaning = alone ? { kind: 'payout', provider, from, to, how: 'reference' } : { provider };
    for (const name of new Set(named)) if (isNumber(name ?? '')) add(name, meaning);
  }
  return {
    of({ words, amount }: UnknownLine): Found {
      const named = new Set([...(words.match(DOCNAME) ?? []), ...words.split(/[\s,;:]+/)]);
      const meant = [...named].flatMap((name) => meanings.get(name) ?? []);
      const different = new Map(meant.map((one) => [JSON.stringify(one), one]));
      const [only] = different.values();
      if (!only) return { explained: undefined, provider: null };
      if (different.size > 1) return { explained: null, provider: null };
      if (!('kind' in only)) return { explained: undefined, provider: only.provider };
      const goesOut = only.kind === 'refund';
      return { explained: amount.isNegative() === goesOut ? only : null, provider: null };
    },
  };
}
