import { sql } from '../../platform/database/sql.ts';
import { type Check, listDifferences } from './check.ts';

/** Payment events that oversight is shown: all but those that wait to be. */
const placed = sql`
  select * from payment_event e where not exists (select from oversight_tail t where t.kind = 'payment_event'
    and t.subject = e.name)`;

/**
 * Compares payment events with what is stored of them elsewhere. What waits to become part of it is left out on both
 * sides.
 */
export const SUM_CHECKS: readonly Check[] = [
  [
    'oversight_stream',
    sql`select * from (
        select coalesce(e.name, s.subject) as row, coalesce(e.mda, s.mda) as mda,
          case when e.name is null then 'oversight is shown it, and it is not there'
          when s.subject is null then 'oversight is not shown it, and it does not wait to be' else 'oversight is shown another ' || ${listDifferences(
            {
              mda: sql`s.mda is distinct from e.mda`,
              channel: sql`s.channel is distinct from e.channel`,
              currency: sql`s.currency is distinct from e.currency`,
              kind: sql`s.event_kind is distinct from e.kind`,
              amount: sql`s.amount is distinct from e.amount`,
              occurred_at: sql`s.occurred_at is distinct from e.occurred_at`,
            },
          )} end as why
        from (select * from oversight_stream where kind = 'payment_event') s full
          join (${placed}) e on e.name = s.subject
      ) d where why is not null`,
  ],
  [
    'oversight_tail',
    sql`select t.subject as row, null::text as mda, case when e.name is null then 'waits to be shown, and is not there' else 'waits to be shown, and is' end as why
      from oversight_tail t left join payment_event e on e.name = t.subject
      left join oversight_stream s on s.kind = 'payment_event' and s.subject = t.subject
      where t.kind = 'payment_event' and (e.name is null or s.subject is not null)`,
  ],
  [
    'stream_positions',
    sql`select 'oversight_stream ' || (last + 1) || ' to ' || (position - 1) as row, null::text as mda, 'these positions are missing' as why
      from (select position, lag(position, 1, 0::bigint) over (order by position) as last from oversight_stream) s
      where position <> last + 1`,
  ],
];
