import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { type Span, closeLocalSpan } from '../../figures/span.ts';
import { type Figures, type GroupsQuestion, readGroups } from '../../root/groups.ts';
import { selectFacts } from '../../revenue/facts.ts';

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
    sector: { key: sql`s.sector`, beside: 'service' },
    family: { key: sql`s.family`, beside: 'service' },
    channel: { key: sql`f.channel` },
    month: { key: sql`to_char(f.day, 'YYYY-MM')` },
    day: { key: sql`to_char(f.day, 'YYYY-MM-DD')` },
  },
  always: [],
  measures: sql`sum(f.sold)::int8 as sold,
    sum(f.returned)::int8 as returned`,
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
  const filter = { fromDate: from, toDate: to, timeZone };
  const by = (group: PiecesGrouping) => question.groupBy.includes(group);
  const groupings = [
    ...(['mda', 'service'] as const),
    ...(by('channel') || question.filter.channel ? (['channel'] as const) : []),
    ...(by('day') ? (['day'] as const) : by('month') ? (['month'] as const) : []),
  ];
  const facts = sql`
    select day, mda, service, channel::text, sold, returned from (${selectFacts(groupings, filter)}) f`;
  return readGroups(call, figures, facts, question);
}
