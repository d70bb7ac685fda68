import DataLoader from 'dataloader';
import type { Call } from '../../platform/call/call.ts';
import { type PageArgs, ifGiven, newestFirst, readPage } from '../../platform/change/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ReconciliationItem, ReconciliationRun } from '../../generated/prisma/client.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MatchOutcome } from './compare.ts';
import type { StatementRow } from './read.ts';

const runColumns = columnsOf('ReconciliationRun');

const itemSelect = sql`select ${columnsOf('ReconciliationItem')} from reconciliation_item r`;

/** Comparisons of statements, newest first. */
export function listRuns(
  call: Call,
  { provider }: { provider?: string | null | undefined },
  page: PageArgs,
): Promise<ReconciliationRun[]> {
  return readPage<ReconciliationRun>(
    call,
    {
      select: sql`select ${runColumns} from reconciliation_run r`,
      table: 'reconciliation_run',
      ...newestFirst,
      where: [],
      filters: [ifGiven(provider, (name) => sql`r.provider = ${name}`)],
    },
    page,
  );
}

export async function getRun({ db }: Call, name: string): Promise<ReconciliationRun> {
  const row = await db.row<ReconciliationRun>(
    sql`select ${runColumns} from reconciliation_run r where r.name = ${name}`,
  );
  if (!row) throw new Refusal('not_found', 'The reconciliation run does not exist');
  return row;
}

/** What came of each row of a statement, in its order. */
export async function listItems(
  call: Call,
  filter: { run: string; outcome?: MatchOutcome | null | undefined },
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
      filters: [ifGiven(filter.outcome, (outcome) => sql`r.outcome = ${outcome}`)],
    },
    page,
  );
}

const PAGE = 5_000;

/** The paid rows of the statement that a run compared, in their order. */
export async function findStatementRows({ db }: Call, run: string): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  for (let last = 0; ;) {
    const page = await db.rows<StatementRow & { idx: number }>(sql`
      select idx, line, reference, statement_amount as amount, statement_currency as currency, txn_id as "txnId",
        null as "settledAt"
      from reconciliation_item where run = ${run} and line is not null and idx > ${last} order by idx limit ${PAGE}`);
    for (const { idx, ...row } of page) {
      rows.push(row);
      last = idx;
    }
    if (page.length < PAGE) return rows;
  }
}

const MOST_SHOWN = 100;

const mismatches = new WeakMap<Call, DataLoader<string, ReconciliationItem[]>>();

/** The first rows of a run that do not match; asked of many runs in one request, they are read at once. */
export function loadFirstMismatches(call: Call, run: string): Promise<ReconciliationItem[]> {
  let loader = mismatches.get(call);
  if (!loader) {
    loader = new DataLoader((runs) => loadMismatches(call, runs), { cache: false });
    mismatches.set(call, loader);
  }
  return loader.load(run);
}

async function loadMismatches({ db }: Call, runs: readonly string[]): Promise<ReconciliationItem[][]> {
  const found = await db.rows<ReconciliationItem>(sql`
    select i.* from unnest(${runs}::text[]) as n (run) cross join lateral (
      ${itemSelect} where r.run = n.run and r.outcome <> 'matched' order by r.idx limit ${MOST_SHOWN}) i order by i.run,
        i.idx`);
  const byRun = Map.groupBy(found, ({ run }) => run);
  return runs.map((run) => byRun.get(run) ?? []);
}
