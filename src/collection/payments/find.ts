import { BY_AGENCY, type Wall, whereVisible } from '../../platform/access/owned.ts';
import type { Collection } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { loadByKey, loadByName, loadByOwner } from '../../platform/reading/batch.ts';
import { type Money, ifGiven, isAnyOf, whereNotAfter, whereOfAmount } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { columnsOf, fromJson, jsonOf } from '../../platform/database/record.ts';
import { type Sql, raw, sql } from '../../platform/database/sql.ts';
import type {
  EventSeal,
  PaymentEvent as EventRecord,
  PaymentIntent as IntentRecord,
  SplitRule,
} from '../../generated/prisma/client.ts';
import type { Channel, IntentStatus, PaymentProof } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { whereMetadata } from '../assessments/labels.ts';

export type PaymentIntent = IntentRecord & { readonly splits: SplitRule[] };
export type PaymentEvent = EventRecord & { readonly seal: EventSeal | null };

const intentColumns = columnsOf('PaymentIntent');

/** A payment intent belongs to the agencies that have a share in it. */
const WITH_A_SPLIT: Wall = (agencies) =>
  sql`exists (select from split_rule w where w.intent = r.name and w.mda = any(${agencies}))`;

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
  const row = await call.db.row<Row>(
    statement(sql`${intentColumns}, ${splits}`, whereVisible(call.viewer, WITH_A_SPLIT)),
  );
  return row && { ...row, splits: row.splits.map((split) => fromJson('SplitRule', split)) };
}

function findIntent(call: Call, condition: Sql): Promise<PaymentIntent | null> {
  return getOneIntent(
    call,
    (columns, visible) => sql`select ${columns} from payment_intent r where ${condition} and ${visible}`,
  );
}

export interface IntentFilter {
  readonly status?: IntentStatus | null | undefined;
  readonly channel?: Channel | null | undefined;
  readonly proof?: readonly PaymentProof[] | null | undefined;
  readonly assessment?: string | null | undefined;
  /** The citizen who owes its assessment. */
  readonly payer?: string | null | undefined;
  /** An agency that has a share in it. */
  readonly agency?: string | null | undefined;
  /** Reference of it, of its assessment, or of the aggregator's collection, given by anybody. */
  readonly reference?: string | null | undefined;
  /** Metadata that it has all of. */
  readonly metadata?: unknown;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly minAmount?: Decimal | null | undefined;
  readonly maxAmount?: Decimal | null | undefined;
  /** True: those that paid nothing, since their assessment was paid or cancelled before; false: all others. */
  readonly surplus?: boolean | null | undefined;
  /** With this amount, in one currency or any. */
  readonly of?: Money | null | undefined;
  readonly orderBy?: IntentOrder | null | undefined;
}

export type IntentOrder = 'created_desc' | 'created_asc' | 'amount_desc' | 'amount_asc' | 'due_asc' | 'due_desc';

const ORDERS: Readonly<Record<IntentOrder, Pick<Listing, 'order' | 'direction'>>> = {
  created_desc: newestFirst,
  created_asc: { ...newestFirst, direction: 'asc' },
  amount_desc: { order: ['amount', 'name'], direction: 'desc' },
  amount_asc: { order: ['amount', 'name'], direction: 'asc' },
  due_asc: { order: ['expires_at', 'name'], direction: 'asc' },
  due_desc: { order: ['expires_at', 'name'], direction: 'desc' },
};

/** An anomaly is raised about each, by which an index finds them. */
const PAID_NOTHING = sql`r.name in (
  select subject from anomaly where kind in ('duplicate_collection', 'late_collection')) and exists (
  select from assessment a where a.name = r.assessment and (a.cancelled_at < r.confirmed_at or exists (
    select from payment_intent o where o.assessment = a.name and o.status = 'Confirmed'
      and (o.confirmed_at, o.name) < (r.confirmed_at, r.name))))`;

function intentListing(call: Call, filter: IntentFilter): Listing {
  return {
    select: sql`select ${intentColumns} from payment_intent r`,
    table: 'payment_intent',
    amount: 'amount',
    ...ORDERS[filter.orderBy ?? 'created_desc'],
    where: [whereVisible(call.viewer, WITH_A_SPLIT)],
    filters: [
      ifGiven(filter.status, (status) => sql`r.status = ${status}::intent_status`),
      ifGiven(filter.channel, (channel) => sql`r.channel = ${channel}::channel`),
      ifGiven(
        filter.proof,
        (proofs) => sql`exists (
          select from payment_event e where e.intent = r.name and ${isAnyOf(sql`e.proof`, proofs, 'payment_proof')})`,
      ),
      ifGiven(filter.assessment, (assessment) => sql`r.assessment = ${assessment}`),
      ifGiven(filter.payer, (citizen) => sql`r.assessment in (select name from assessment where citizen = ${citizen})`),
      ifGiven(
        filter.agency,
        (mda) => sql`exists (select 1 from split_rule s where s.intent = r.name and s.mda = ${mda})`,
      ),
      ifGiven(
        filter.reference,
        (reference) => sql`r.name in (
          select name from payment_intent
            where aggregator_reference = ${reference} or reference = ${reference} or assessment = ${reference} or name = ${reference}
          union all select i.name from payment_intent i join assessment a on a.name = i.assessment
            where a.reference = ${reference}
          union all select intent from payment_event where txn_id = ${reference})`,
      ),
      ifGiven(filter.metadata, (metadata) => whereMetadata(call.viewer, metadata)),
      ifGiven(filter.from, (moment) => sql`r.created_at >= ${moment}`),
      ifGiven(filter.to, (moment) => whereNotAfter(sql`r.created_at`, moment)),
      ifGiven(filter.minAmount, (amount) => sql`r.amount >= ${amount}`),
      ifGiven(filter.maxAmount, (amount) => sql`r.amount <= ${amount}`),
      ifGiven(filter.surplus, (surplus) => (surplus ? PAID_NOTHING : sql`not (${PAID_NOTHING})`)),
      ifGiven(filter.of, (money) => whereOfAmount('payment_intent', 'amount', money)),
    ],
  };
}

/** The caller's payment intents, newest first unless asked otherwise, without their splits. */
export function listIntents(call: Call, filter: IntentFilter, page: PageArgs): Promise<Page<IntentRecord>> {
  return readPage(call, intentListing(call, filter), page);
}

const INTENTS_OF = sql`r.assessment`;

/** The caller's payment intents for one assessment, the oldest first. */
export function listIntentsOf(call: Call, assessment: string, page: PageArgs): Promise<Page<IntentRecord>> {
  return readPageOf(call, () => intentListing(call, { orderBy: 'created_asc' }), INTENTS_OF, assessment, page);
}

/** The caller's payment intents that were started by a payment link, the oldest first. */
export function listIntentsOfLink(call: Call, link: string, page: PageArgs): Promise<Page<IntentRecord>> {
  // By the assessment of the link, whose intents an index knows.
  const table = 'payment_link l cross join payment_intent';
  const listing = (): Listing => {
    const all = intentListing(call, { orderBy: 'created_asc' });
    const ofLink = sql`l.name = r.link and l.assessment = r.assessment`;
    return { ...all, select: sql`select ${intentColumns} from ${raw(table)} r`, table, where: [...all.where, ofLink] };
  };
  return readPageOf(call, listing, sql`l.name`, link, page);
}

/** The caller's payment intents by docname, without their splits. */
export const intentLoader = loadByName<IntentRecord>(({ db, viewer }, names) =>
  db.rows(
    sql`select ${intentColumns} from payment_intent r where r.name = any(${names}) and ${whereVisible(viewer, WITH_A_SPLIT)}`,
  ),
);

/** The share of each agency in a payment intent. */
export const readSplitsOf = loadByOwner<SplitRule>(
  ({ intent }) => intent,
  ({ db }, names) =>
    db.rows(sql`
      select ${columnsOf('SplitRule', { as: 's' })} from split_rule s where s.intent = any(${names})
      order by s.intent, s.mda collate "C"`),
);

/** One of the caller's payment intents with its splits. */
export async function getIntent(call: Call, name: string): Promise<PaymentIntent> {
  const intent = isDocname('intent', name) ? await findIntent(call, sql`r.name = ${name}`) : null;
  if (!intent) throw new Refusal('not_found', say`The payment intent does not exist`);
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
  readonly agency?: string | null | undefined;
  readonly channel?: Channel | null | undefined;
  readonly kind?: EventRecord['kind'] | null | undefined;
  readonly proof?: readonly PaymentProof[] | null | undefined;
  /** Reference of it, given by anybody: by its intent or assessment, or by the aggregator. */
  readonly reference?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

function eventListing(call: Call, filter: EventFilter): Listing {
  return {
    select: eventSelect,
    table: 'payment_event',
    ...newestFirst,
    where: [whereVisible(call.viewer, BY_AGENCY)],
    filters: [
      ifGiven(filter.intent, (intent) => sql`r.intent = ${intent}`),
      ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(filter.channel, (channel) => sql`r.channel = ${channel}::channel`),
      ifGiven(filter.kind, (kind) => sql`r.kind = ${kind}::payment_event_kind`),
      ifGiven(filter.proof, (proofs) => isAnyOf(sql`r.proof`, proofs, 'payment_proof')),
      ifGiven(
        filter.reference,
        (reference) => sql`r.name in (
          select name from payment_event where assessment = ${reference} or txn_id = ${reference}
          union all select e.name from payment_event e join payment_intent i on i.name = e.intent
          where i.name = ${reference} or i.aggregator_reference = ${reference})`,
      ),
      // An event is made when it occurs (the ledger is verified for it), and its list has the order of `created_at`.
      ifGiven(filter.from, (moment) => sql`r.created_at >= ${moment}`),
      ifGiven(filter.to, (moment) => whereNotAfter(sql`r.created_at`, moment)),
    ],
  };
}

/** The caller's payment events, newest first. */
export function listEvents(call: Call, filter: EventFilter, page: PageArgs): Promise<Page<PaymentEvent>> {
  return readPage(call, eventListing(call, filter), page);
}

/** The caller's payment events of one intent or assessment, newest first. */
export function listEventsOf(
  call: Call,
  of: 'intent' | 'assessment',
  name: string,
  page: PageArgs,
): Promise<Page<PaymentEvent>> {
  return readPageOf(call, () => eventListing(call, {}), raw(`r.${of}`), name, page);
}

/** The caller's payment events by docname. */
export const eventLoader = loadByName<PaymentEvent>(({ db, viewer }, names) =>
  db.rows(sql`${eventSelect} where r.name = any(${names}) and ${whereVisible(viewer, BY_AGENCY)}`),
);

/** Payment events' seals by the docname of the event. */
export const sealLoader = loadByKey<EventSeal>(
  'event',
  ({ event }) => event,
  ({ db }, names) => db.rows(sql`select ${columnsOf('EventSeal')} from event_seal r where r.event = any(${names})`),
);

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
