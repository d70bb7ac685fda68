import type { Call } from '../../../platform/call/call.ts';
import { type Sql, raw, sql } from '../../../platform/database/sql.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import { type Span, closeLocalSpan } from '../../figures/span.ts';

/** Columns of the rows of a view, each with its `day`, that a span covers. */
export async function selectWithin(call: Call, span: Span, view: string, columns: Sql): Promise<Sql> {
  const { from, to, timeZone } = await closeLocalSpan(call, span);
  const zone = timeZone === 'UTC' ? sql`'utc'` : sql`a.time_zone`;
  // Days of any zone lie within those of UTC and one more at either end, which an index finds.
  const [first, last] = [new Date(from.getTime() - DAY_MS), new Date(to.getTime() + 2 * DAY_MS)];
  return sql`
    select day, ${columns} from (
      select v.*, (v.occurred_at at time zone ${zone})::date as day
      from oversight.${raw(view)} v
      -- Put together once, and not for each row (\`offset 0\`).
      join (select mda, time_zone from oversight.agency offset 0) a on a.mda = v.mda
      where v.occurred_at >= ${first}::timestamptz and v.occurred_at < ${last}::timestamptz
    ) dated
    -- Only what lies within a day of an end has to be asked whose day it is.
    where (occurred_at >= ${new Date(from.getTime() + DAY_MS)}::timestamptz or day >= ${formatDay(from)}::date)
      and (occurred_at < ${to}::timestamptz or day <= ${formatDay(to)}::date)`;
}
