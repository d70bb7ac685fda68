import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';

/**
 * Sums of figures about people, less what waits to be made anew and with what is true of that, beside plain counts of
 * what they are made of.
 */
export const PEOPLE_CHECKS: readonly Check[] = [
  [
    'assessed_sum',
    sql`select concat_ws(' ', month, currency, mda) as row, mda, 'differs from its assessments' as why
      from (
        select month, currency, mda, sum(parts) as parts, sum(amount) as amount, sum(owing_agency) as people
        from oversight.assessed_sum group by 1, 2, 3 having sum(parts) <> 0
      ) s full join (
        select date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.currency, l.mda,
          count(distinct (l.assessment, l.service)) as parts, sum(l.amount) as amount,
          count(distinct a.citizen) as people
        from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null group by 1, 2, 3
      ) t using (month, currency, mda)
      where (s.parts, s.amount, s.people) is distinct from (t.parts, t.amount, t.people)`,
  ],
  [
    'assessed_agency_sum',
    sql`select concat_ws(' ', month, currency, mda, channel, status) as row, mda, 'differs from its parts' as why
      from (
        select month, currency, mda, channel, status, assessments, parts, amount, owing_agency, paying_agency, unpaid_agency,
          timed_agency, timed_channel
        from assessed_agency_sum where parts <> 0
      ) s full join (
        select month, currency, mda, channel, status, count(*) filter (where leads) as assessments, count(*) as parts,
          sum(amount) as amount, count(*) filter (where owing_agency) as owing_agency,
          count(*) filter (where paying_agency) as paying_agency, count(*) filter (where unpaid_agency) as unpaid_agency,
          count(*) filter (where timed_agency) as timed_agency, count(*) filter (where timed_channel) as timed_channel
        from assessed_fact group by 1, 2, 3, 4, 5
      ) t using (month, currency, mda, channel, status)
      where (s.assessments, s.parts, s.amount, s.owing_agency, s.paying_agency, s.unpaid_agency, s.timed_agency,
          s.timed_channel)
        is distinct from (t.assessments, t.parts, t.amount, t.owing_agency, t.paying_agency, t.unpaid_agency,
          t.timed_agency, t.timed_channel)`,
  ],
  [
    'assessed_unpaid',
    sql`select coalesce(s.name, t.name) as row, coalesce(s.mda, t.mda) as mda, 'differs from what it owes' as why
      from assessed_unpaid s full join (
        select person, name, month, assessed_at, currency, mda, sum(amount) as amount
        from assessed_fact where status = 'Assessed' group by 1, 2, 3, 4, 5, 6
      ) t using (person, name)
      where (s.month, s.assessed_at, s.currency, s.mda, s.amount)
        is distinct from (t.month, t.assessed_at, t.currency, t.mda, t.amount)`,
  ],
  [
    'assessed_times',
    sql`select concat_ws(' ', month, currency, mda, channel) as row, mda, 'differs from its payments' as why
      from (
        select month, currency, mda, channel, seconds from oversight.assessed_times where cardinality(seconds) > 0
      ) s full join (
        select date_trunc('month', assessed_at at time zone 'utc')::date as month, currency, mda, channel,
          array_agg(seconds order by seconds) as seconds
        from (
          select distinct a.name, a.assessed_at, a.currency, l.mda,
            extract(epoch from a.paid_at - a.assessed_at)::float8 as seconds, coalesce((
              select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed'
              order by i.confirmed_at, i.name limit 1), '') as channel
          from assessment a join assessment_line l on l.assessment = a.name
          where a.assessed_at is not null and a.paid_at is not null
        ) p group by 1, 2, 3, 4
      ) t using (month, currency, mda, channel) where s.seconds is distinct from t.seconds`,
  ],
  [
    'attempt_sum',
    sql`select concat_ws(' ', month, channel) as row, null::text as mda, 'differs from its payment intents' as why
      from (
        select month, channel, sum(attempts) as attempts, sum(trying_channel) as people
        from oversight.attempt_sum group by 1, 2 having sum(attempts) <> 0
      ) s full join (
        select date_trunc('month', i.created_at at time zone 'utc')::date as month, i.channel::text as channel,
          count(*) as attempts, count(distinct a.citizen) as people
        from payment_intent i join assessment a on a.name = i.assessment where i.status <> 'Pending' group by 1, 2
      ) t using (month, channel)
      where (s.attempts, s.people) is distinct from (t.attempts, t.people)`,
  ],
  [
    'payer_sum',
    sql`select concat_ws(' ', month, mda) as row, mda, 'differs from its payments' as why
      from (
        select month, mda, sum(people) as people, sum(first) as first from oversight.payer_sum
        group by 1, 2 having sum(people) <> 0
      ) s full join (
        select month, mda, count(*) as people, count(*) filter (where first) as first from payer_live group by 1, 2
      ) t using (month, mda)
      where (s.people, s.first) is distinct from (t.people, t.first)`,
  ],
];
