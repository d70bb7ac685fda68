import type { Call } from '../call.ts';
import { type PageArgs, given, newestFirst, readPage } from '../database/page.ts';
import { sql } from '../database/sql.ts';
import type { ReconciliationItem, ReconciliationRun } from '../generated/prisma/client.ts';
import { Refusal } from '../refusal.ts';
import type { Outcome } from './compare.ts';

const runColumns = sql`r.name, r.provider, r.from_at as "fromAt", r.to_at as "toAt", r.rerun_of as "rerunOf", r.source_hash as "sourceHash", r.rows, r.ignored,
  r.matched, r.missing_here as "missingHere", r.missing_there as "missingThere", r.amount_differs as "amountDiffers", r.duplicate,
  r.created_by as "createdBy", r.created_at as "createdAt"`;

const itemSelect = sql`
  select r.name, r.run, r.idx, r.outcome, r.line, r.reference, r.intent, r.intent_status as "intentStatus", r.statement_amount as "statementAmount",
    r.statement_currency as "statementCurrency", r.recorded_amount as "recordedAmount", r.recorded_currency as "recordedCurrency", r.txn_id as "txnId"
  from reconciliation_item r`;

/** Comparisons of statements, newest first. */
export function listRuns(call: Call, { provider }: { provider?: string | null | undefined }, page: PageArgs): Promise<ReconciliationRun[]> {
  return readPage<ReconciliationRun>(
    call,
    {
      select: sql`select ${runColumns} from reconciliation_run r`,
      table: 'reconciliation_run',
      ...newestFirst,
      where: [],
      filters: [given(provider, (name) => sql`r.provider = ${name}`)],
    },
    page,
  );
}

export async function getRun({ db }: Call, name: string): Promise<ReconciliationRun> {
  const row = await db.row<ReconciliationRun>(sql`select ${runColumns} from reconciliation_run r where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', 'There is no such reconciliation');
  return row;
}

/** What came of each row of a statement, in its order. */
export async function listItems(
  call: Call,
  filter: { run: string; outcome?: Outcome | null | undefined },
  page: PageArgs,
): Promise<ReconciliationItem[]> {
  await getRun(call, filter.run);
  return readPage<ReconciliationItem>(
    call,
    {
      select: itemSelect,
      table: 'reconciliation_item',
      order: ['idx', 'name'],
      direction: 'asc',
      where: [sql`r.run = ${filter.run}`],
      filters: [given(filter.outcome, (outcome) => sql`r.outcome = ${outcome}`)],
    },
    page,
  );
}

const MOST_SHOWN = 100;

/** The first rows of a run that do not match. */
export function firstMismatches({ db }: Call, run: string): Promise<ReconciliationItem[]> {
  return db.rows<ReconciliationItem>(sql`${itemSelect} where r.run = ${run} and r.outcome <> 'matched' order by r.idx limit ${MOST_SHOWN}`);
}
