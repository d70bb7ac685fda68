import type { PayerMessageKind, PayerMessageStatus, PayerMessageTransport } from '../../../generated/prisma/enums.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { raw, sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven, whereNotAfter } from '../../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../../platform/reading/page.ts';

export type Message = Stored<'PayerMessage'>;

const select = sql`select ${columnsOf('PayerMessage')} from payer_message r`;

export interface MessageFilter {
  readonly kind?: PayerMessageKind | null | undefined;
  readonly transport?: PayerMessageTransport | null | undefined;
  readonly status?: PayerMessageStatus | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** Operators read them all, who are bound to no agency. */
function listing(filter: MessageFilter): Listing {
  return {
    select,
    table: 'payer_message',
    amount: 'cost',
    ...newestFirst,
    where: [],
    filters: [
      ifGiven(filter.kind, (kind) => sql`r.kind = ${kind}::payer_message_kind`),
      ifGiven(filter.transport, (transport) => sql`r.transport = ${transport}::payer_message_transport`),
      ifGiven(filter.status, (status) => sql`r.status = ${status}::payer_message_status`),
      ifGiven(filter.fromDate, (from) => sql`r.created_at >= ${from}`),
      ifGiven(filter.toDate, (to) => whereNotAfter(sql`r.created_at`, to)),
    ],
  };
}

/** Messages to payers, newest first. */
export function listMessages(call: Call, filter: MessageFilter, page: PageArgs): Promise<Page<Message>> {
  return readPage(call, listing(filter), page);
}

/** Messages about one citizen or assessment, newest first. */
export function listMessagesOf(
  call: Call,
  of: 'citizen' | 'assessment',
  name: string,
  page: PageArgs,
): Promise<Page<Message>> {
  return readPageOf(call, listing({}), raw(`r.${of}`), name, page);
}

/** Messages to payers by docname. */
export const messageLoader = loadByName<Message>(({ db }, names) =>
  db.rows(sql`${select} where r.name = any(${names})`),
);
