import type { Call } from '../platform/call/call.ts';
import { type PageArgs, given, readPage } from '../platform/change/page.ts';
import { sql } from '../platform/database/sql.ts';

/** What an operator did: who, what, before, after and why. */
export interface OperatorEntry {
  readonly name: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly requestId: string;
}

export interface OperatorFilter {
  readonly actor?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly subject?: string | null | undefined;
}

const entries = sql`(select 'AUDIT-' || to_char(at at time zone 'UTC', 'YYYY-MM') || '-' || lpad(id::text, greatest(6, length(id::text)), '0') as name, id, at, actor, action, subject, before, after, reason, request_id from operator_audit)`;

export function listOperations(call: Call, filter: OperatorFilter, page: PageArgs): Promise<OperatorEntry[]> {
  return readPage<OperatorEntry>(
    call,
    {
      select: sql`select r.name, r.at, r.actor, r.action, r.subject, r.before, r.after, r.reason, r.request_id as "requestId" from ${entries} r`,
      table: entries.text,
      order: ['id'],
      direction: 'desc',
      where: [],
      filters: [
        given(filter.actor, (actor) => sql`r.actor = ${actor}`),
        given(filter.action, (action) => sql`r.action = ${action}`),
        given(filter.subject, (subject) => sql`r.subject = ${subject}`),
      ],
    },
    page,
  );
}
