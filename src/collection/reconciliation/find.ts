import type { Call } from '../../platform/call/call.ts';
import { loadByName, loadTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  MOST_COUNTED,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ReconciliationItem, ReconciliationRun } from '../../generated/prisma/client.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MatchOutcome } from './compare.ts';
import type { StatementRow } from './read.ts';
import { say } from '../../kernel/text/said.ts';

const runSelect = sql`select ${columnsOf('ReconciliationRun')} from reconciliation_run r`;

const itemSelect = sql`select ${columnsOf('ReconciliationItem')} from reconciliation_item r`;

/** Comparisons of statements, newest first. */
export function listRuns(
  call: Call,
  { provider }: { provider?: string | null | undefined },
  page: PageArgs,
): Promise<Page<ReconciliationRun>> {
  return readPage(
    call,
    {
      select: runSelect,
      table: 'reconciliation_run',
      ...newestFirst,
      where: [],
      filters: [ifGiven(provider, (name) => sql`r.provider = ${name}`)],
    },
    page,
  );
}

/** Comparisons of statements by docname. */
export const runLoader = loadByName<ReconciliationRun>(({ db }, names) =>
  db.rows(sql`${runSelect} where r.name = any(${names})`),
);

export async function getRun(call: Call, name: string): Promise<ReconciliationRun> {
  const run = await runLoader.load(call, name);
  if (!run) throw new Refusal('not_found', say`The reconciliation run does not exist`);
  return run;
}

type Outcome = MatchOutcome | null | undefined;

function itemListing(outcome: Outcome): Listing {
  return {
    select: itemSelect,
    table: 'reconciliation_item',
    order: ['idx', 'name'],
    direction: 'asc',
    where: [],
    filters: [ifGiven(outcome, (one) => sql`r.outcome = ${one}`)],
  };
}

/** What came of each row of the statement of a run that exists, in its order. */
export async function listItems(
  call: Call,
  { run, outcome }: { run: string; outcome?: Outcome },
  page: PageArgs,
): Promise<Page<ReconciliationItem>> {
  await getRun(call, run);
  return listItemsOf(call, run, outcome, page);
}

/** What came of each row of the statement of a run, in its order. */
export function listItemsOf(
  call: Call,
  run: string,
  outcome: Outcome,
  page: PageArgs,
): Promise<Page<ReconciliationItem>> {
  return readPageOf(call, itemListing(outcome), sql`r.run`, run, page);
}

/** What came of single rows of statements, by docname. */
export const itemLoader = loadByName<ReconciliationItem>(({ db }, names) =>
  db.rows(sql`${itemSelect} where r.name = any(${names})`),
);

const PAGE = 5_000;

/** The paid rows of the statement that a run compared, in their order. */
export async function findStatementRows({ db }: Call, run: string): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  for (let last = 0; ;) {
    const page = await db.rows<StatementRow & { idx: number }>(sql`
      select idx, line, reference, statement_amount as amount, statement_currency as currency, txn_id as "txnId",
        null as "settledAt", null as "paidFor"
      from reconciliation_item where run = ${run} and line is not null and idx > ${last} order by idx limit ${PAGE}`);
    for (const { idx, ...row } of page) {
      rows.push(row);
      last = idx;
    }
    if (page.length < PAGE) return rows;
  }
}

const MOST_SHOWN = 100;

/** The first rows of a run that do not match; those of several runs are read by one statement. */
export async function loadFirstMismatches(call: Call, run: string): Promise<readonly ReconciliationItem[]> {
  return (await loadTogether(call, loadFirstMismatches, run, (runs) => readFirstMismatches(call, runs))) ?? [];
}

async function readFirstMismatches({ db }: Call, runs: readonly string[]): Promise<Map<string, ReconciliationItem[]>> {
  const found = await db.rows<ReconciliationItem>(sql`
    select i.* from unnest(${runs}::text[]) as n (run) cross join lateral (
      ${itemSelect} where r.run = n.run and r.outcome <> 'matched' order by r.idx limit ${MOST_SHOWN}) i order by i.run,
        i.idx`);
  return Map.groupBy(found, ({ run }) => run);
}

/** Counts what differs in the latest run of each provider, as far as lists are counted; of runs of the last 31 days. */
export async function countDifferences({ db, now }: Call): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from (
      select from (
        select distinct on (provider) name from reconciliation_run
        where created_at > ${now()}::timestamptz - interval '31 days' order by provider, created_at desc, name desc
      ) r join reconciliation_item i on i.run = r.name where i.outcome <> 'matched' limit ${MOST_COUNTED + 1}
    ) d`);
  return row!.count;
}
