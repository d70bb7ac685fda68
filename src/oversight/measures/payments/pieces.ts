import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { type Span, closeLocalSpan } from '../../figures/span.ts';
import { type Figures, type GroupsQuestion, readGroups } from '../../root/groups.ts';
import { firstOfMonth } from '../../revenue/dimensions.ts';
import { fromParts } from '../../revenue/facts.ts';

export type PiecesGrouping = 'service' | 'agency' | 'sector' | 'family' | 'channel' | 'month' | 'day';
export type PiecesOrder = 'key' | 'pieces' | 'returned';

/** How many pieces of services payments paid for, and reversals gave back. */
export interface PiecesRow extends Readonly<Partial<Record<Exclude<PiecesGrouping, 'channel'>, string>>> {
  readonly channel?: Channel;
  readonly sold: number;
  readonly returned: number;
}

const figures: Figures<PiecesGrouping, PiecesOrder> = {
  dimensions: {
    service: { key: sql`f.service` },
    agency: { key: sql`f.mda` },
    sector: { key: sql`f.sector` },
    family: { key: sql`f.family` },
    channel: { key: sql`f.channel` },
    month: { key: sql`strftime(f.day, '%Y-%m')` },
    day: { key: sql`strftime(f.day, '%Y-%m-%d')` },
  },
  always: [],
  measures: sql`sum(f.sold) as sold, sum(f.returned) as returned`,
  present: sql`sum(f.sold) > 0 or sum(f.returned) > 0`,
  orders: { key: null, pieces: sql`sold - returned desc`, returned: sql`returned desc` },
};

/** The pieces that the payments and reversals of a span were for, in groups. */
export async function readPieces(
  call: Call,
  span: Span,
  question: GroupsQuestion<PiecesGrouping, PiecesOrder>,
): Promise<Page<PiecesRow>> {
  const { from, to, timeZone } = await closeLocalSpan(call, span);
  const by = (group: PiecesGrouping) => question.groupBy.includes(group);
  // Written as text only once they are few.
  const facts = sql`
    select p.*, s.sector, s.family from (
      select f.mda, f.service, f.channel, ${by('day') ? sql`f.day` : by('month') ? firstOfMonth : sql`null::date`} as day,
        sum(case when f.kind = 'payment' then f.quantity else 0 end) as sold,
        sum(case when f.kind = 'reversal' then f.quantity else 0 end) as returned
      ${fromParts([], { fromDate: from, toDate: to, timeZone })} group by 1, 2, 3, 4
    ) p left join service s on s.service = p.service`;
  return readGroups(call, figures, facts, question);
}
