import { type Sql, joined, raw, sql } from '../../../src/platform/database/sql.ts';
import type { TestRail } from '../../harness/rail.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Each dimension in terms of an event `e`, at `e.at` in the requested time zone, and its agency `m`. */
const PLAIN: Readonly<Record<string, Sql>> = {
  agencyId: sql`e.mda`,
  channel: sql`e.channel::text`,
  country: sql`m.country`,
  region: sql`m.region`,
  district: sql`m.district`,
  station: sql`case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end`,
  counterAgencyId: sql`h.mda`,
  counter: sql`h.counter_label`,
  integratorId: sql`e.integrator`,
  fiscalYear: sql`case when extract(month from e.at) >= 7
    then to_char(e.at, 'YYYY/') || to_char(e.at + interval '1 year', 'YY')
    else to_char(e.at - interval '1 year', 'YYYY/') || to_char(e.at, 'YY') end`,
  quarter: sql`to_char(e.at, 'YYYY-"Q"Q')`,
  month: sql`to_char(e.at, 'YYYY-MM')`,
  week: sql`to_char(e.at, 'IYYY-"W"IW')`,
  day: sql`to_char(e.at, 'YYYY-MM-DD')`,
  weekday: sql`extract(isodow from e.at)::int`,
  hour: sql`extract(hour from e.at)::int`,
  kind: sql`e.kind::text`,
  sector: sql`s.sector`,
  serviceId: sql`s.name`,
};

/** A plain GROUP BY over the events; for services, over the part of each event that pays for one. */
export function readPlainly(
  rail: TestRail,
  fields: readonly string[],
  where: Sql,
  zone = 'Africa/Kampala',
): Promise<Row[]> {
  const byService = fields.includes('serviceId') || fields.includes('sector');
  const events = byService ? sql`select * from event_share` : sql`select v.*, null as service from payment_event v`;
  return rail.rows<Row>(sql`
    with e as (select v.*, v.occurred_at at time zone ${zone} as at from (${events}) v)
    select ${joined(fields.map((field) => sql`${PLAIN[field]!} as ${raw(`"${field}"`)}`))}, e.currency,
      coalesce(sum(e.amount) filter (where e.kind = 'payment'), 0)::text as collected,
      coalesce(-sum(e.amount) filter (where e.kind = 'reversal'), 0)::text as reversed, count(*)::int as count
    from e join mda m on m.name = e.mda join assessment a on a.name = e.assessment
    left join counter_shift h on h.name = a.shift left join service s on s.name = e.service
    where ${where} group by ${joined([...fields.map((_field, index) => raw(String(index + 1))), sql`e.currency`])}`);
}

/** Rows as texts that can be held against others: by their dimensions, their counts and their sums. */
export const comparable = (rows: readonly Row[], fields: readonly string[]) =>
  rows
    .map((row) =>
      JSON.stringify([
        ...[...fields, 'currency', 'count'].map((name) => row[name] ?? null),
        Number(row['collected']),
        Number(row['reversed']),
      ]),
    )
    .toSorted();

/** A row of figures with all that it says in one object, as plain SQL says it. */
export function flatten(value: unknown): Row {
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([name, member]) => {
      if (name === 'counter' && member) {
        const { agencyId, label } = member as Row;
        return [['counterAgencyId', agencyId] as const, ['counter', label] as const];
      }
      if (name === 'events') return [['count', member] as const];
      const isNested = name === 'key' || name === 'revenue';
      return isNested ? Object.entries(flatten(member)) : [[name, member] as const];
    }),
  );
}
