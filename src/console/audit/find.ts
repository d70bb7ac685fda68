import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Listing, type Page, type PageArgs, readPage, readPageOf } from '../../platform/reading/page.ts';

/** An action of an operator: author, object, before, after and reason. */
export type OperatorEntry = Omit<Stored<'OperatorAudit'>, 'id'> & { readonly name: string };

export interface OperatorFilter {
  readonly actor?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly subject?: string | null | undefined;
  /** The days of the span, both included. */
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

const entries = sql`(
  select 'AUDIT-' || to_char(at at time zone 'UTC', 'YYYY-MM') || '-' || lpad(id::text, greatest(6, length(id::text)),
    '0') as name, * from operator_audit)`;

const entrySelect = sql`select r.name, ${columnsOf('OperatorAudit', { without: ['id'] })} from ${entries} r`;

/** Form of an entry's name, with the number that an index knows it by. */
export const ENTRY_NAME = /^AUDIT-\d{4}-(?:0[1-9]|1[0-2])-(\d{6,18})$/;

function numberOf(name: string): string | null {
  return ENTRY_NAME.exec(name)?.[1] ?? null;
}

function isNamed(name: string): Sql | null {
  const number = numberOf(name);
  return number === null ? null : sql`(r.id = ${number}::bigint and r.name = ${name})`;
}

function listing(filter: OperatorFilter): Listing {
  return {
    select: entrySelect,
    table: entries.text,
    named: isNamed,
    order: ['id'],
    direction: 'desc',
    where: [],
    filters: [
      ifGiven(filter.actor, (actor) => sql`r.actor = ${actor}`),
      ifGiven(filter.action, (action) => sql`r.action = ${action}`),
      ifGiven(filter.subject, (subject) => sql`r.subject = ${subject}`),
      ifGiven(filter.fromDate, (day) => sql`r.at >= ${day}`),
      // A day includes its end.
      ifGiven(filter.toDate, (day) => sql`r.at < ${day}::timestamptz + interval '1 day'`),
    ],
  };
}

/** Entries of the audit trail, newest first. */
export function listOperations(call: Call, filter: OperatorFilter, page: PageArgs): Promise<Page<OperatorEntry>> {
  return readPage(call, listing(filter), page);
}

/** Actions on one record, newest first. */
export function listOperationsOf(call: Call, subject: string, page: PageArgs): Promise<Page<OperatorEntry>> {
  return readPageOf(call, listing({}), sql`r.subject`, subject, page);
}

/** The day from which a change holds that was made for a coming day; null where it held at once. */
export function effectiveDayOf(after: unknown): Date | null {
  if (typeof after !== 'object' || after === null || !('effective_from' in after)) return null;
  const { effective_from: day } = after;
  return typeof day === 'string' ? new Date(day) : null;
}

/** Entries of the audit trail by name. */
export const operationLoader = loadByName<OperatorEntry>(({ db }, names) => {
  const numbers = names.map(numberOf).filter((number) => number !== null);
  return db.rows(sql`${entrySelect} where r.id = any(${numbers}::bigint[]) and r.name = any(${names})`);
});
