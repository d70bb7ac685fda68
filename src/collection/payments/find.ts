import { whereVisible } from '../../platform/access/owned.ts';
import type { Collection } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type PageArgs, ifGiven, newestFirst, whereNotAfter, readPage } from '../../platform/change/page.ts';
import { columnsOf, fromJson, jsonOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type {
  EventSeal,
  PaymentEvent as EventRecord,
  PaymentIntent as IntentRecord,
  SplitRule,
} from '../../generated/prisma/client.ts';
import { Refusal } from '../../kernel/refusal.ts';

export type PaymentIntent = IntentRecord & { readonly splits: SplitRule[] };
export type PaymentEvent = EventRecord & { readonly seal: EventSeal | null };

const intentColumns = columnsOf('PaymentIntent');

const splits = sql`(
  select jsonb_agg(${jsonOf('SplitRule', 's')} order by s.mda collate "C") from split_rule s
  where s.intent = r.name) as splits`;

const eventSelect = sql`
  select ${columnsOf('PaymentEvent')}, case when s.event is not null then ${jsonOf('EventSeal', 's')} end as seal
  from payment_event r left join event_seal s on s.event = r.name`;

/**
 * Runs a statement over `payment_intent r` that yields at most one intent, and more of it than an intent has where it
 * says so: the columns of an intent are handed to it, and so is what the caller may see.
 */
export async function getOneIntent<More extends object = object>(
  call: Call,
  statement: (columns: Sql, visible: Sql) => Sql,
): Promise<(PaymentIntent & More) | null> {
  type Row = IntentRecord & More & { splits: object[] };
  const row = await call.db.row<Row>(statement(sql`${intentColumns}, ${splits}`, whereVisible(call.viewer)));
  return row && { ...row, splits: row.splits.map((split) => fromJson('SplitRule', split)) };
}

function findIntent(call: Call, condition: Sql): Promise<PaymentIntent | null> {
  return getOneIntent(
    call,
    (columns, visible) => sql`select ${columns} from payment_intent r where ${condition} and ${visible}`,
  );
}

/** One of the caller's payment intents with its splits. */
export async function getIntent(call: Call, name: string): Promise<PaymentIntent> {
  const intent = isDocname('intent', name) ? await findIntent(call, sql`r.name = ${name}`) : null;
  if (!intent) throw new Refusal('not_found', 'The payment intent does not exist');
  return intent;
}

/** The intent that a callback speaks of: by its docname, or by the aggregator's reference. */
export async function findIntentOf(
  call: Call,
  aggregator: string,
  { intent, reference }: { readonly intent: string | null; readonly reference: string | null },
): Promise<PaymentIntent | null> {
  if (intent !== null)
    return isDocname('intent', intent)
      ? findIntent(call, sql`r.name = ${intent} and r.aggregator = ${aggregator}`)
      : null;
  return findIntent(call, sql`r.aggregator = ${aggregator} and r.aggregator_reference = ${reference}`);
}

export interface EventFilter {
  readonly intent?: string | null | undefined;
  readonly mda?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/** The caller's payment events, newest first. */
export function listEvents(call: Call, filter: EventFilter, page: PageArgs): Promise<PaymentEvent[]> {
  return readPage(
    call,
    {
      select: eventSelect,
      table: 'payment_event',
      ...newestFirst,
      where: [whereVisible(call.viewer)],
      filters: [
        ifGiven(filter.intent, (intent) => sql`r.intent = ${intent}`),
        ifGiven(filter.mda, (mda) => sql`r.mda = ${mda}`),
        ifGiven(filter.from, (moment) => sql`r.occurred_at >= ${moment}`),
        ifGiven(filter.to, (moment) => whereNotAfter(sql`r.occurred_at`, moment)),
      ],
    },
    page,
  );
}

/** All events of an intent in the order in which they were made. */
export function eventsOf(call: Call, intent: string): Promise<PaymentEvent[]> {
  return call.db.rows<PaymentEvent>(sql`${eventSelect} where r.intent = ${intent} order by r.created_at, r.name`);
}

/** All events of an assessment's intents in the order in which they were made. */
export function eventsOfAssessment(call: Call, assessment: string): Promise<PaymentEvent[]> {
  return call.db.rows<PaymentEvent>(
    sql`${eventSelect} where r.assessment = ${assessment} order by r.created_at, r.name`,
  );
}

/** An intent as its aggregator is asked about it. */
export function collectionOf(intent: PaymentIntent): Collection {
  const { name, aggregatorReference, amount, currency, payerMsisdn, createdAt, initiatedAt, updatedAt } = intent;
  const accepted = initiatedAt !== null;
  return {
    intent: name,
    reference: aggregatorReference,
    amount,
    currency,
    payerMsisdn,
    createdAt,
    accepted,
    askedAt: updatedAt,
  };
}
