import { OF_OWN_AGENCY, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadByKey, loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { type Stored, columnsOf, jsonOf } from '../../platform/database/record.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { KEPT_DAYS } from '../events/listening.ts';
import { isOfLasting } from '../endpoints/matching.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import type { Envelope } from '../events/event-types.ts';
import { type Enveloped, envelopeOf } from '../events/envelope.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

/** One try to deliver a message. */
export type Attempt = Omit<Stored<'WebhookAttempt'>, 'id' | 'delivery'>;

/** A message on its way to an endpoint. */
export type Delivery = Omit<Stored<'WebhookDelivery'>, 'status' | 'attempts'> & {
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  /** Reason why it is not sent for the time being. */
  readonly onHold: 'endpoint_disabled' | 'no_endpoint' | 'account_suspended' | 'agency_inactive' | null;
  readonly attempts: (Omit<Attempt, 'at'> & { readonly at: string })[];
};

const attempts = sql`(
  select coalesce(jsonb_agg(${jsonOf('WebhookAttempt', 't')} order by t.id), '[]') from webhook_attempt t
  where t.delivery = r.name and t.at >= r.created_at - interval '1 day') as attempts`;

/** Reason why a waiting message is not sent even when due; null if it is sent. */
const onHold = sql`case
  when r.status <> 'pending' then null
  when i.status <> 'Active' then 'account_suspended'
  when m.status = 'Inactive' then 'agency_inactive'
  when e.url is null then 'no_endpoint'
  when e.disabled_at is not null then 'endpoint_disabled' end`;

const columns = sql`${columnsOf('WebhookDelivery', { without: ['attempts'] })}, r.attempts as "attemptCount",
  case when ${onHold} is null then q.next_attempt_at end as "nextAttemptAt", ${onHold} as "onHold", ${attempts}`;

const source = sql`
  from webhook_delivery r left join webhook_queue q on (q.endpoint, q.object, q.sequence) = (r.endpoint, r.object, r.sequence)
  left join webhook_endpoint e on e.name = r.endpoint left join integrator i on i.code = r.integrator
  left join mda m on m.name = r.agency`;

export interface DeliveryFilter {
  readonly integrator?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly type?: readonly string[] | null | undefined;
  readonly object?: string | null | undefined;
  readonly endpoint?: string | null | undefined;
}

function listing(call: Call, filter: DeliveryFilter): Listing {
  if (filter.status != null && !DELIVERY_STATUSES.some((status) => status === filter.status))
    throw refuseValue('status', say`must be one of ${DELIVERY_STATUSES.join(', ')}`);
  return {
    select: sql`select ${columns} ${source}`,
    table: 'webhook_delivery',
    ...newestFirst,
    where: [
      whereVisible(call.viewer, OF_OWN_AGENCY),
      ifGiven(filter.integrator, (code) => sql`r.integrator = ${code}`),
    ],
    filters: [
      ifGiven(filter.status, (status) => sql`r.status = ${status}`),
      ifGiven(filter.type, (types) => sql`r.type = any(${types})`),
      ifGiven(filter.object, (object) => sql`r.object = ${object}`),
      ifGiven(filter.endpoint, (endpoint) => sql`r.endpoint = ${endpoint}`),
    ],
  };
}

/** The deliveries to accounts that the caller may see, newest first: those of its own, or any for staff. */
export function listDeliveries(call: Call, filter: DeliveryFilter, page: PageArgs): Promise<Page<Delivery>> {
  const all = listing(call, filter);
  return readPage(call, { ...all, where: [...all.where, sql`r.integrator is not null`] }, page);
}

/** The deliveries to one account, or to one endpoint, newest first. */
export function listDeliveriesOf(
  call: Call,
  of: 'integrator' | 'endpoint',
  name: string,
  filter: DeliveryFilter,
  page: PageArgs,
): Promise<Page<Delivery>> {
  return readPageOf(call, listing(call, filter), raw(`r.${of}`), name, page);
}

/** The deliveries that the caller may see, by docname. */
export const deliveryLoader = loadByName<Delivery>(({ db, viewer }, names) =>
  db.rows(sql`select ${columns} ${source} where r.name = any(${names}) and ${whereVisible(viewer, OF_OWN_AGENCY)}`),
);

/** A delivery that the caller may see. */
export async function getDelivery({ db, viewer }: Call, name: string): Promise<Delivery> {
  const row = await db.row<Delivery>(
    sql`select ${columns} ${source} where r.name = ${name} and ${whereVisible(viewer, OF_OWN_AGENCY)}`,
  );
  if (!row) throw new Refusal('not_found', say`The delivery does not exist, or ended more than ${KEPT_DAYS} days ago`);
  return row;
}

/** Bodies of deliveries, as they are sent. */
const bodyLoader = loadByKey<{ readonly message: string; readonly body: Envelope }>(
  'message',
  ({ message }) => message,
  async ({ db, viewer }, messages) => {
    const rows = await db.rows<Enveloped>(sql`
      select distinct on (r.message) r.message, r.type, r.object, r.sequence, o.payload, o.created_at as "createdAt"
      from webhook_delivery r join outbox o on o.id = r.message
      where r.message = any(${messages}::uuid[]) and ${whereVisible(viewer, OF_OWN_AGENCY)}`);
    return rows.map((row) => ({ message: row.message, body: envelopeOf(row) }));
  },
);

/** Body of a delivery; null if it is none of the caller's. */
export async function readBody(call: Call, { message }: Pick<Delivery, 'message'>): Promise<Envelope | null> {
  return (await bodyLoader.load(call, message))?.body ?? null;
}

/** The dead messages of one integrator. */
export interface DeadDeliveries {
  readonly integrator: string;
  readonly count: number;
  readonly oldest: Date;
}

/** All messages that are dead and can be sent again, by integrator, most first. */
export function countDead({ db }: Call): Promise<DeadDeliveries[]> {
  return db.rows<DeadDeliveries>(sql`
    select integrator, count(*)::int as count, min(created_at) as oldest from webhook_delivery d
    where status = 'dead' and integrator is not null and ${isOfLasting} group by integrator order by count(*) desc, integrator`);
}
