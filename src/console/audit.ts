import type { Call } from '../platform/call/call.ts';
import { type PageArgs, ifGiven, readPage } from '../platform/change/page.ts';
import { type Stored, columnsOf } from '../platform/database/record.ts';
import { sql } from '../platform/database/sql.ts';

/** What an operator did: who, what, before, after and why. */
export type OperatorEntry = Omit<Stored<'OperatorAudit'>, 'id'> & { readonly name: string };

export interface OperatorFilter {
  readonly actor?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly subject?: string | null | undefined;
}

const entries = sql`(
  select 'AUDIT-' || to_char(at at time zone 'UTC', 'YYYY-MM') || '-' || lpad(id::text, greatest(6, length(id::text)),
    '0') as name, * from operator_audit)`;

export function listOperations(call: Call, filter: OperatorFilter, page: PageArgs): Promise<OperatorEntry[]> {
  return readPage<OperatorEntry>(
    call,
    {
      select: sql`select r.name, ${columnsOf('OperatorAudit', { without: ['id'] })} from ${entries} r`,
      table: entries.text,
      order: ['id'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(filter.actor, (actor) => sql`r.actor = ${actor}`),
        ifGiven(filter.action, (action) => sql`r.action = ${action}`),
        ifGiven(filter.subject, (subject) => sql`r.subject = ${subject}`),
      ],
    },
    page,
  );
}
