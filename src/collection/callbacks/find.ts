import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven, whereNotAfter } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { CallbackAnswer } from './receive.ts';
import { UNSIGNED } from './signature.ts';

/** A callback that had an effect, or was found to have had it, under its sender and number for a name. */
export interface StoredCallback extends Omit<
  Stored<'InboundCallback'>,
  'provider' | 'bodyHash' | 'about' | 'decision'
> {
  readonly name: string;
  /** Its sender, with `unsigned:` before it if that was not proven. */
  readonly sender: string;
  readonly decision: CallbackAnswer['decision'];
}

interface CallbackFilter {
  readonly provider?: string | null | undefined;
  readonly decision?: readonly CallbackAnswer['decision'][] | null | undefined;
  readonly signed?: boolean | null | undefined;
  readonly intent?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** Form of a callback's name: senders have no colon in theirs. */
export const CALLBACK_NAME = /^(?:unsigned:)?[^:]+:./s;

const select = sql`
  select r.provider || ':' || r.event_id as name, r.provider as sender,
    ${columnsOf('InboundCallback', { as: 'r', without: ['provider'] })} from inbound_callback r`;

/** The sender, as it is stored, and the number of a callback's name. */
function partsOf(name: string): { readonly sender: string; readonly eventId: string } {
  const end = name.indexOf(':', name.startsWith(UNSIGNED) ? UNSIGNED.length : 0);
  return { sender: name.slice(0, end), eventId: name.slice(end + 1) };
}

function isNamed(name: string): Sql | null {
  if (!CALLBACK_NAME.test(name)) return null;
  const { sender, eventId } = partsOf(name);
  return sql`r.provider = ${sender} and r.event_id = ${eventId}`;
}

/** The callbacks that had an effect, newest first. */
export function listCallbacks(call: Call, filter: CallbackFilter, page: PageArgs): Promise<Page<StoredCallback>> {
  const unsigned = sql`r.provider like ${`${UNSIGNED}%`}`;
  const listing = {
    select,
    table: 'inbound_callback',
    named: isNamed,
    order: ['received_at', 'provider', 'event_id'],
    direction: 'desc' as const,
    where: [],
    filters: [
      ifGiven(filter.provider, (provider) => sql`r.provider = any(${[provider, UNSIGNED + provider]})`),
      ifGiven(filter.decision, (decisions) => sql`r.decision = any(${[...decisions]})`),
      ifGiven(filter.signed, (signed) => (signed ? sql`not (${unsigned})` : unsigned)),
      ifGiven(filter.intent, (intent) => sql`r.intent = ${intent}`),
      ifGiven(filter.fromDate, (from) => sql`r.received_at >= ${from}`),
      ifGiven(filter.toDate, (to) => whereNotAfter(sql`r.received_at`, to)),
    ],
  };
  return readPage(call, listing, page);
}

/** Callbacks by their names. */
export const callbackLoader = loadByName<StoredCallback>(({ db }, names) => {
  const parts = names.map(partsOf);
  return db.rows(sql`
    ${select} join unnest(${parts.map(({ sender }) => sender)}::text[], ${parts.map(({ eventId }) => eventId)}::text[])
      as asked (sender, event_id) on r.provider = asked.sender and r.event_id = asked.event_id`);
});
