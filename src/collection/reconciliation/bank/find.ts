import { type Wall, whereWithin } from '../../../platform/access/owned.ts';
import { rolesWith } from '../../../platform/access/needs.ts';
import type { Viewer } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { type Sql, raw, sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven, isAnyOf } from '../../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../../platform/reading/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';

/** A statement of a bank as it is read: of its account, the end alone. */
export type BankStatement = Omit<Stored<'BankStatement'>, 'account'> & {
  readonly accountLast4: string;
  /** True while it does not begin with what the statement before it ended with. */
  readonly gap: boolean;
  /** The statement that came later and closed a gap before it. */
  readonly gapClosedBy: string | null;
};

export type BankLine = Omit<Stored<'BankLine'>, 'account'> & { readonly accountLast4: string };

/** The wall around what is about an account of agencies. */
export const OF_ITS_ACCOUNT: Wall = (agencies) =>
  sql`r.account in (select h.account from account_holder h where h.mda = any(${agencies}))`;

/** The end of the last statement whose days are not after a statement's, of some that came before. */
const endBefore = (came: Sql) => sql`left join lateral (
  select b.name, b.closing, b.created_at from bank_statement b
  where b.account = r.account and b.currency = r.currency and b.to_on <= r.from_on and b.name <> r.name and ${came}
  order by b.to_on desc, b.created_at desc, b.name desc limit 1)`;

const selectStatements = (table: string) => sql`
  select ${columnsOf('BankStatement', { without: ['account'] })}, right(r.account, 4) as "accountLast4",
    coalesce(e.closing <> r.opening, false) as gap,
    case when e.closing = r.opening and e.created_at > r.created_at and f.closing <> r.opening then e.name end as "gapClosedBy"
  from ${raw(table)} r ${endBefore(sql`true`)} e on true ${endBefore(sql`b.created_at < r.created_at`)} f on true`;

const selectLines = (table: string) => sql`
  select ${columnsOf('BankLine', { without: ['account'] })}, right(r.account, 4) as "accountLast4" from ${raw(table)} r`;

/** The rows of a table with the agencies of their account: where several have it, a row is there for each. */
const byAgency = (table: string) =>
  `(select t.*, h.mda from ${table} t join account_holder h on h.account = t.account)`;

const isOf = (mda: string) => OF_ITS_ACCOUNT(sql`${[mda]}::text[]`);

function statementListing({ viewer }: Call, table = 'bank_statement'): Listing {
  return { select: selectStatements(table), table, ...newestFirst, where: [whereWithin(viewer, OF_ITS_ACCOUNT)] };
}

/** Statements of banks, newest first. */
export function listBankStatements(
  call: Call,
  { agency }: { readonly agency?: string | null | undefined },
  page: PageArgs,
): Promise<Page<BankStatement>> {
  return readPage(call, { ...statementListing(call), filters: [ifGiven(agency, isOf)] }, page);
}

/** The statements of the accounts of an agency, newest first. */
export function listBankStatementsOf(call: Call, mda: string, page: PageArgs): Promise<Page<BankStatement>> {
  return readPageOf(call, statementListing(call, byAgency('bank_statement')), sql`r.mda`, mda, page);
}

/** Statements of banks, by docname. */
export const bankStatementLoader = loadByName<BankStatement>(({ db, viewer }, names) =>
  db.rows(
    sql`${selectStatements('bank_statement')} where r.name = any(${names}) and ${whereWithin(viewer, OF_ITS_ACCOUNT)}`,
  ),
);

export async function getBankStatement(call: Call, name: string): Promise<BankStatement> {
  const statement = await bankStatementLoader.load(call, name);
  if (!statement) throw new Refusal('not_found', say`The bank statement does not exist`);
  return statement;
}

export interface BankLineFilter {
  readonly kind?: readonly string[] | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

function lineListing({ viewer }: Call, { kind, fromDate, toDate }: BankLineFilter, table = 'bank_line'): Listing {
  return {
    select: selectLines(table),
    table,
    order: ['value_on', 'name'],
    direction: 'desc',
    amount: 'amount',
    where: [whereWithin(viewer, OF_ITS_ACCOUNT)],
    filters: [
      ifGiven(kind, (kinds) => isAnyOf(sql`r.kind`, kinds)),
      ifGiven(fromDate, (day) => sql`r.value_on >= ${formatDay(day)}::date`),
      ifGiven(toDate, (day) => sql`r.value_on <= ${formatDay(day)}::date`),
    ],
  };
}

/** Lines of statements, those with the newest value day first. */
export function listBankLines(
  call: Call,
  filter: BankLineFilter & { readonly agency?: string | null | undefined },
  page: PageArgs,
): Promise<Page<BankLine>> {
  const { filters = [], ...listing } = lineListing(call, filter);
  return readPage(call, { ...listing, filters: [...filters, ifGiven(filter.agency, isOf)] }, page);
}

/** The lines of the accounts of an agency, in the same order. */
export function listBankLinesOf(
  call: Call,
  mda: string,
  { kind, fromDate, toDate, ...page }: BankLineFilter & PageArgs,
): Promise<Page<BankLine>> {
  const listing = lineListing(call, { kind, fromDate, toDate }, byAgency('bank_line'));
  return readPageOf(call, listing, sql`r.mda`, mda, page);
}

/** The lines of a statement, in its order. */
export function listLinesOf(
  call: Call,
  statement: string,
  { kind, ...page }: Pick<BankLineFilter, 'kind'> & PageArgs,
): Promise<Page<BankLine>> {
  const listing: Listing = { ...lineListing(call, { kind }), order: ['idx', 'name'], direction: 'asc' };
  return readPageOf(call, listing, sql`r.statement`, statement, page);
}

/** Lines of statements, by docname. */
export const bankLineLoader = loadByName<BankLine>(({ db, viewer }, names) =>
  db.rows(sql`${selectLines('bank_line')} where r.name = any(${names}) and ${whereWithin(viewer, OF_ITS_ACCOUNT)}`),
);

export async function getBankLine(call: Call, name: string): Promise<BankLine> {
  const line = await bankLineLoader.load(call, name);
  if (!line) throw new Refusal('not_found', say`The bank line does not exist`);
  return line;
}

const READERS = rolesWith('books.read').filter((role) => role !== 'oversight');

/** True if a viewer sees what a line says; the oversight role sees what it amounts to. */
export function seesTexts({ kind, roles }: Viewer): boolean {
  return kind !== 'staff' || READERS.some((role) => roles.has(role));
}
