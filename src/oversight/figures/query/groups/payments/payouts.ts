import { selectOwed } from '../../../../../collection/reconciliation/payouts/read.ts';
import { listPayingOut, termsOf } from '../../../../../collection/reconciliation/payouts/terms.ts';
import { type Sql, joined, sql } from '../../../../../platform/database/sql.ts';
import { zero } from '../../../../../kernel/money.ts';
import { formatDay } from '../../../../../kernel/time.ts';
import type { DimensionName } from '../../dimensions.ts';
import type { Measure, MeasureGroup, Setting, Value } from '../../measure-group.ts';
import { type Reading, inSpans, isWithin, selectGroups } from '../../question.ts';
import { AGENCIES, PERIODS } from '../people.ts';

/** The end of all days. */
const ALWAYS = new Date('9998-12-30');
/** Enough days for the most working days that a provider may take. */
const MOST_DAYS = 100;

const PLACE = sql`key, provider, currency`;

/**
 * What providers are to pay out of each day of an agency, by the end of a day: what was expected, what of it arrived, and
 * what is open, which is late once it is overdue. A line of a bank pays the days of its span in their order, so that
 * what it has too little lacks at the end; days that several lines pay are one span. Agencies that have the same account
 * are paid together.
 */
function payoutsUpTo({ spans }: Reading, { config, now }: Setting, last: Date): Sql {
  const first = sql`least(${joined(spans.map(({ from }) => sql`${formatDay(from)}::date`))})`;
  const until = sql`greatest(${joined(spans.map(({ to }) => sql`${formatDay(to)}::date`))})`;
  const terms = ['', ...listPayingOut(config)].map((name) => sql`(${name}, ${termsOf(config, name).afterDays})`);
  const today = sql`least(${formatDay(last)}::date + 1, timezone(g.time_zone, ${now}::timestamptz)::date)`;
  const day = sql`(g.today - n::integer)`;
  const isWork = sql`not contains(g.weekend, lower(dayname(${day}))) and not contains(g.holidays, strftime(${day}, ',%m-%d,'))
    and not contains(g.holidays, strftime(${day}, ',%Y-%m-%d,'))`;
  // What is due within a number of working days is late once as many are over since.
  const worked = sql`list_filter(range(1, ${MOST_DAYS}), lambda n: ${isWork})`;
  return sql`
    with terms (name, after_days) as (values ${joined(terms)}), late as (
      select g.mda, t.name, g.today - coalesce(g.worked[greatest(t.after_days, 1)], ${MOST_DAYS})::integer + (t.after_days = 0)::integer as before
      from (select *, ${worked} as worked from (select *, ${today} as today from agency g) g) g, terms t
    ), lines as (
      select *, coalesce(from_on > max(to_on) over (partition by ${PLACE} order by from_on, to_on rows between unbounded preceding and 1 preceding), true) as begins
      from bank_line where value_on <= ${formatDay(last)}::date
    ), spans as (
      select ${PLACE}, nth, min(from_on) as from_on, max(to_on) as to_on, max(value_on) as value_on, sum(amount) as received
      from (select *, count(*) filter (where begins) over (partition by ${PLACE} order by from_on, to_on rows unbounded preceding) as nth from lines)
      group by all
    ), reach as (
      -- Days that are asked for, and others of spans that have some of these.
      select least(${first}, min(from_on)) as first, least(greatest(${until}, max(to_on)), ${formatDay(last)}::date) as until
      from spans where from_on <= ${until} and to_on >= ${first}
    ), owed as (
      select key, mda, provider, currency, day, sum(case when part = 'expected' then amount else -amount end) as expected
      from (${selectOwed({ config })}) p where day between (select first from reach) and (select until from reach) group by all
    ), paid as (
      select o.*, s.nth, s.value_on, s.received, sum(o.expected) over (partition by o.key, o.provider, o.currency, s.nth) as whole,
        sum(o.expected) over (partition by o.key, o.provider, o.currency, s.nth order by o.day, o.mda) as so_far
      from owed o left join spans s on s.key = o.key and s.provider = o.provider and s.currency = o.currency
        and o.day between s.from_on and s.to_on
    ), cells as (
      select *, case when received is null then 0 when received >= whole then expected
        else least(received, so_far) - coalesce(lag(least(received, so_far)) over (partition by ${PLACE}, nth order by day, mda), 0) end as arrived
      from paid
    )
    select c.mda, c.provider, c.currency, c.day, c.day as on_day, c.expected, c.arrived, c.expected - c.arrived as open, c.value_on,
      c.day < l.before as late
    from cells c join late l on l.mda = c.mda and l.name = case when c.provider in (select name from terms) then c.provider else '' end`;
}

const dimensions: readonly DimensionName[] = [...AGENCIES, 'provider', 'currency', ...PERIODS];

/** The same of each span of a reading. */
const readPayouts = (reading: Reading, setting: Setting, last: Date) => sql`
  with payouts as materialized (${payoutsUpTo(reading, setting, last)})
  ${inSpans(reading, (days, span) => sql`select ${span}, * from payouts where ${isWithin(days, sql`day`)}`)}`;

const amount = (name: string, description: string): Measure => ({
  type: 'Decimal',
  description,
  of: (columns) => columns[name] as Value,
});

/** Payouts of the days of a reading, as they stood at the end of a day. */
export const selectPayouts = (reading: Reading, setting: Setting, last: Date): Sql =>
  selectGroups(reading, readPayouts(reading, setting, last), [
    sql`coalesce(sum(f.expected), 0) as expected`,
    sql`coalesce(sum(f.arrived), 0) as arrived`,
    sql`coalesce(sum(f.open) filter (where not f.late), 0) as "inTransit"`,
    sql`coalesce(sum(f.open) filter (where f.late), 0) as missing`,
    sql`quantile_cont(f.value_on - f.day, 0.5) filter (where f.arrived > 0)::double as p50`,
    sql`round(quantile_cont(f.value_on - f.day, 0.9) filter (where f.arrived > 0), 3)::double as p90`,
  ]);

const ABOUT =
  'of payments through providers that pay out to agencies, by the day of the payments. Cash is not among them.';

/** What providers pay out, and what arrived at the banks of agencies. */
export const PAYOUTS: MeasureGroup = {
  description: `Payouts ${ABOUT} The amounts that arrived, are in transit and are missing make the expected one.`,
  people: 'none',
  dimensions,
  nothing: { expected: zero, arrived: zero, inTransit: zero, missing: zero },
  price: 3,
  measures: {
    expected: amount(
      'expected',
      'The amount that is to be paid out: paid, less what went back and fees that the provider keeps.',
    ),
    arrived: amount('arrived', 'The amount of it that is at the bank, by the statements that were uploaded.'),
    inTransit: amount('inTransit', 'The amount of it that is not, and not due before the end of today.'),
    missing: amount('missing', 'The amount of it that is not, and overdue.'),
  },
  select: (reading, setting) => selectPayouts(reading, setting, ALWAYS),
};

const within = (name: string, part: string): Measure => ({
  type: 'Float',
  nullable: true,
  description: `The number of days within which ${part} of payouts were at the bank, each of a day of an agency; null if none is.`,
  of: (columns) => columns[name] as Value,
});

/** Days until money was at the bank. */
export const TO_BANK: MeasureGroup = {
  description: `Days from payment to bank, of payouts ${ABOUT}`,
  people: 'none',
  dimensions,
  acrossCurrencies: true,
  nothing: null,
  price: 3,
  measures: { daysToBank: within('p50', 'half'), daysToBankP90: within('p90', '90 %') },
  select: PAYOUTS.select,
};
