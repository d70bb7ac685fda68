import type { Call } from '../../platform/call/call.ts';
import { type Sql, joined, sql } from '../../platform/database/sql.ts';
import type { Channel, PaymentEventKind } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Span, checkSpan } from '../figures/span.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** A payment event as oversight sees it: nothing in it leads to a person. */
export interface OverseenEvent {
  readonly position: number;
  readonly name: string;
  readonly mda: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly channel: Channel;
  readonly kind: PaymentEventKind;
  readonly occurredAt: Date;
  readonly seal: { readonly sequence: number; readonly hash: string } | null;
}

export interface OversightEventFilter extends Span {
  readonly mda?: string | null | undefined;
  readonly channel?: Channel | null | undefined;
  readonly kind?: PaymentEventKind | null | undefined;
  readonly currency?: string | null | undefined;
}

export interface Window {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export interface EventPage {
  readonly events: readonly OverseenEvent[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

const USUAL = 50;
export const MOST_EVENTS = 1_000;

export const eventColumns = sql`e.position, e.name, e.mda, e.amount, e.currency, e.channel, e.kind, e.occurred_at as "occurredAt",
  case when e.seal_hash is not null then jsonb_build_object('sequence', e.seal_sequence, 'hash',
    e.seal_hash) end as seal`;

/**
 * Payment events, newest first, in the order of the stream. A cursor is an event's docname: what follows it is found by
 * its position, at a cost that does not grow with depth, and stays the same however many events come.
 */
export async function readEventPage(
  call: Call,
  filter: OversightEventFilter,
  { first, after, last, before }: Window,
): Promise<EventPage> {
  if (first != null && last != null) throw refuseValue('last', 'cannot be combined with first');
  const backwards = last != null;
  const count = last ?? first ?? USUAL;
  const [above, below] = await Promise.all([positionOf(call, 'before', before), positionOf(call, 'after', after)]);
  const conditions = [
    ...conditionsOf(filter),
    ...(below === null ? [] : [sql`e.position < ${below}`]),
    ...(above === null ? [] : [sql`e.position > ${above}`]),
  ];
  const where = conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : sql``;
  const found = await call.oversight.rows<OverseenEvent>(sql`
    select ${eventColumns} from oversight.payment_event e ${where}
    order by e.position ${backwards ? sql`asc` : sql`desc`} limit ${count + 1}`);
  const more = found.length > count;
  if (more) found.pop();
  if (backwards) found.reverse();
  return { events: found, hasNext: backwards ? above !== null : more, hasPrevious: backwards ? more : below !== null };
}

export function conditionsOf(filter: OversightEventFilter): Sql[] {
  const { from, to } = checkSpan(filter);
  return [
    filter.mda ? sql`e.mda = ${filter.mda}` : null,
    filter.channel ? sql`e.channel::text = ${filter.channel}` : null,
    filter.kind ? sql`e.kind::text = ${filter.kind}` : null,
    filter.currency ? sql`e.currency = ${filter.currency}` : null,
    from ? sql`e.occurred_at >= ${from}` : null,
    to ? sql`e.occurred_at < ${new Date(to.getTime() + DAY_MS)}` : null,
  ].filter((condition) => condition !== null);
}

async function positionOf(
  { oversight }: Call,
  path: string,
  cursor: string | null | undefined,
): Promise<number | null> {
  if (cursor == null) return null;
  const row = await oversight.row<{ position: number }>(
    sql`select position from oversight.payment_event where name = ${cursor}`,
  );
  if (!row) throw refuseValue(path, 'does not name a payment event');
  return row.position;
}
