import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { Channel, PaymentEventKind } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type Span, conditionsWithin } from '../figures/span.ts';

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
  /** The record of its seal, as JSON has it; null until it is sealed. */
  readonly seal: object | null;
}

export interface OversightEventFilter extends Span {
  readonly mda?: string | null | undefined;
  readonly channel?: Channel | null | undefined;
  readonly kind?: PaymentEventKind | null | undefined;
  readonly currency?: string | null | undefined;
}

export const MOST_EVENTS = 1_000;

export const eventColumns = sql`r.position, r.name, r.mda, r.amount, r.currency, r.channel, r.kind, r.occurred_at as "occurredAt",
  case when r.seal_hash is not null then jsonb_build_object('mda', r.mda, 'sequence', r.seal_sequence, 'event', r.name,
    'hash', r.seal_hash, 'sealedAt', r.sealed_at, 'version', r.seal_version, 'commitment', r.seal_commitment) end as seal`;

/** Payment events by docname. */
export const overseenEventLoader = loadByName<OverseenEvent>(({ oversight }, names) =>
  oversight.rows(sql`select ${eventColumns} from oversight.payment_event r where r.name = any(${names})`),
);

/** Payment events, newest first, in the order of the stream. */
export function listOverseenEvents(
  call: Call,
  filter: OversightEventFilter,
  page: PageArgs,
): Promise<Page<OverseenEvent>> {
  return readPage(
    call,
    {
      select: sql`select ${eventColumns} from oversight.payment_event r`,
      table: 'oversight.payment_event',
      order: ['position'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(filter.mda, (mda) => sql`r.mda = ${mda}`),
        ifGiven(filter.channel, (channel) => sql`r.channel::text = ${channel}`),
        ifGiven(filter.kind, (kind) => sql`r.kind::text = ${kind}`),
        ifGiven(filter.currency, (currency) => sql`r.currency = ${currency}`),
        ...conditionsWithin(filter, sql`r.occurred_at`, sql`r.mda`),
      ],
      db: call.oversight,
    },
    page,
  );
}
