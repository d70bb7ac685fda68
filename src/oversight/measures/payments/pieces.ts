import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import { type Figures, type GroupsQuestion, readGroups } from '../../root/groups.ts';
import { selectWithin } from './days.ts';

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
  measures: sql`coalesce(sum(f.quantity) filter (where f.kind = 'payment'), 0)::int8 as sold,
    coalesce(sum(f.quantity) filter (where f.kind = 'reversal'), 0)::int8 as returned`,
  orders: { key: null, pieces: sql`sold - returned desc`, returned: sql`returned desc` },
};

/** The pieces that the payments and reversals of a span were for, in groups. */
export async function readPieces(
  call: Call,
  span: Span,
  question: GroupsQuestion<PiecesGrouping, PiecesOrder>,
): Promise<Page<PiecesRow>> {
  const columns = sql`mda, service, channel::text, kind, quantity`;
  return readGroups(call, figures, await selectWithin(call, span, 'piece', columns), question);
}
