import type { Call } from '../../platform/call/call.ts';
import type { Stored } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven, isAnyOf } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { Channel, PaymentEventKind, PaymentProof } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Span, checkSpan, conditionsWithin } from '../common/span.ts';

/** A payment event as oversight sees it: nothing in it leads to a person. */
export interface OverseenEvent {
  readonly position: number;
  readonly name: string;
  readonly mda: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly channel: Channel;
  readonly kind: PaymentEventKind;
  readonly proof: PaymentProof | null;
  readonly occurredAt: Date;
  /** The members of its seal; null until it is sealed. */
  readonly sealHash: string | null;
  readonly sealSequence: bigint | null;
  readonly sealedAt: Date | null;
  readonly sealVersion: number | null;
  readonly sealCommitment: string | null;
}

export interface OversightEventFilter extends Span {
  readonly agency?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly kind?: PaymentEventKind | null | undefined;
  readonly proof?: readonly PaymentProof[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

export const MOST_EVENTS = 1_000;

export const eventColumns = sql`r.position, r.name, r.mda, r.amount, r.currency, r.channel, r.kind, r.proof, r.occurred_at as "occurredAt",
  r.seal_hash as "sealHash", r.seal_sequence as "sealSequence", r.sealed_at as "sealedAt", r.seal_version as "sealVersion",
  r.seal_commitment as "sealCommitment"`;

/** The record of an event's seal; null until it is sealed. */
export function sealOf({
  name: event,
  mda,
  sealHash: hash,
  sealSequence: sequence,
  sealedAt,
  sealVersion: version,
  sealCommitment: commitment,
}: OverseenEvent): Stored<'EventSeal'> | null {
  if (hash === null || sequence === null || sealedAt === null || version === null) return null;
  return { mda, sequence, event, hash, sealedAt, version, commitment };
}

/** Payment events by docname. */
export const overseenEventLoader = loadByName<OverseenEvent>(({ oversight }, names) =>
  oversight.rows(sql`select ${eventColumns} from oversight.payment_event r where r.name = any(${names})`),
);

/** The longest span whose end is looked for in the stream, in milliseconds: all of it is read for that. */
const LONGEST_SOUGHT_MS = 92 * DAY_MS;

/**
 * The condition that an event stands no later in the stream than the last one of a span, however its days are told: a
 * page of it is read from there, and not from the end of the stream. Null where `after` stands there or earlier
 * already: of a list that is read page by page, the span is gone through once.
 */
async function whereNotLater({ oversight }: Call, span: Span, { after }: PageArgs): Promise<Sql | null> {
  const { from, to } = checkSpan(span);
  if (!from || !to || to.getTime() - from.getTime() > LONGEST_SOUGHT_MS) return null;
  const begin = new Date(from.getTime() - DAY_MS);
  const end = new Date(to.getTime() + 2 * DAY_MS);
  const isThere = sql`select 1 from oversight.payment_event p where p.name = ${after} and p.occurred_at < ${end}`;
  if (after != null && (await oversight.row(isThere))) return null;
  return sql`r.position <= coalesce((
    -- Written so that it is not looked for from the end.
    select max(p.position + 0) from oversight.payment_event p where p.occurred_at >= ${begin} and p.occurred_at < ${end}
  ), 0)`;
}

/** Payment events, newest first, in the order of the stream. */
export async function listOverseenEvents(
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
        ifGiven(filter.agency, (agencies) => isAnyOf(sql`r.mda`, agencies)),
        ifGiven(filter.channel, (channels) => isAnyOf(sql`r.channel`, channels, 'channel')),
        ifGiven(filter.kind, (kind) => sql`r.kind = ${kind}`),
        ifGiven(filter.proof, (proofs) => isAnyOf(sql`r.proof`, proofs)),
        ifGiven(filter.currency, (currencies) => isAnyOf(sql`r.currency`, currencies)),
        ...conditionsWithin(filter, sql`r.occurred_at`, sql`r.mda`),
        await whereNotLater(call, filter, page),
      ],
      db: call.oversight,
    },
    page,
  );
}
