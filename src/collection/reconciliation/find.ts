import { type Wall, isBound, whereWithin } from '../../platform/access/owned.ts';
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
import { ROW_KINDS } from '../../adapters/payment/statement.ts';
import { OUTCOMES, type MatchOutcome, type RowOutcome } from './compare.ts';
import type { StatementRow } from './read.ts';
import { say } from '../../kernel/text/said.ts';

const runSelect = sql`select ${columnsOf('ReconciliationRun')} from reconciliation_run r`;

const itemSelect = sql`select ${columnsOf('ReconciliationItem')} from reconciliation_item r`;

/** A row of a statement belongs to the agencies that have a share in its payment. */
const OF_ITS_PAYMENT: Wall = (agencies) =>
  sql`exists (select from split_rule w where w.intent = r.intent and w.mda = any(${agencies}))`;

/** A run is seen by the agencies that some of its rows belong to, each of which sees these alone. */
const WITH_A_ROW: Wall = (agencies) => sql`exists (
  select from reconciliation_item w join split_rule s on s.intent = w.intent
  where w.run = r.name and s.mda = any(${agencies}))`;

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
      where: [whereWithin(call.viewer, WITH_A_ROW)],
      filters: [ifGiven(provider, (name) => sql`r.provider = ${name}`)],
    },
    page,
  );
}

/** Comparisons of statements by docname. */
export const runLoader = loadByName<ReconciliationRun>(({ db, viewer }, names) =>
  db.rows(sql`${runSelect} where r.name = any(${names}) and ${whereWithin(viewer, WITH_A_ROW)}`),
);

export async function getRun(call: Call, name: string): Promise<ReconciliationRun> {
  const run = await runLoader.load(call, name);
  if (!run) throw new Refusal('not_found', say`The reconciliation run does not exist`);
  return run;
}

const COUNTED = {
  matched: 'matched',
  missing_here: 'missingHere',
  missing_there: 'missingThere',
  amount_differs: 'amountDiffers',
  duplicate: 'duplicate',
} as const satisfies Record<MatchOutcome, keyof ReconciliationRun>;

/** Number of a run's rows with an outcome, of those that the caller may see. */
export async function countOutcome(call: Call, run: ReconciliationRun, outcome: MatchOutcome): Promise<number> {
  if (!isBound(call.viewer)) return run[COUNTED[outcome]];
  const counts = await loadTogether(call, countOutcome, run.name, async (runs) => {
    const rows = await call.db.rows<{ run: string; outcome: MatchOutcome; count: number }>(sql`
      select r.run, r.outcome, count(*)::int as count from reconciliation_item r
      where r.run = any(${runs}) and ${whereWithin(call.viewer, OF_ITS_PAYMENT)} group by r.run, r.outcome`);
    return Map.groupBy(rows, (row) => row.run);
  });
  return counts?.find((row) => row.outcome === outcome)?.count ?? 0;
}

type Outcome = RowOutcome | null | undefined;

function itemListing({ viewer }: Call, outcome: Outcome): Listing {
  return {
    select: itemSelect,
    table: 'reconciliation_item',
    order: ['idx', 'name'],
    direction: 'asc',
    where: [whereWithin(viewer, OF_ITS_PAYMENT)],
    filters: [ifGiven(outcome, (one) => sql`r.outcome = ${one}`)],
  };
}

/** Outcomes of the rows of an existing run's statement, in order. */
export async function listItems(
  call: Call,
  { run, outcome }: { run: string; outcome?: Outcome },
  page: PageArgs,
): Promise<Page<ReconciliationItem>> {
  await getRun(call, run);
  return listItemsOf(call, run, outcome, page);
}

/** Outcomes of the rows of a run's statement, in order. */
export function listItemsOf(
  call: Call,
  run: string,
  outcome: Outcome,
  page: PageArgs,
): Promise<Page<ReconciliationItem>> {
  return readPageOf(call, itemListing(call, outcome), sql`r.run`, run, page);
}

/** Outcomes of single rows of statements, by docname. */
export const itemLoader = loadByName<ReconciliationItem>(({ db, viewer }, names) =>
  db.rows(sql`${itemSelect} where r.name = any(${names}) and ${whereWithin(viewer, OF_ITS_PAYMENT)}`),
);

const PAGE = 5_000;

/** The paid rows of the statement that a run compared, in their order. */
export async function findStatementRows({ db }: Call, run: string): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  for (let last = 0; ;) {
    const page = await db.rows<StatementRow & { idx: number }>(sql`
      select idx, line, reference, statement_amount as amount, statement_currency as currency, txn_id as "txnId",
        null as "settledAt", null as "paidFor", case when outcome = any(${ROW_KINDS}) then outcome end as kind
      from reconciliation_item where run = ${run} and line is not null and idx > ${last} order by idx limit ${PAGE}`);
    for (const { idx, ...row } of page) {
      rows.push(row);
      last = idx;
    }
    if (page.length < PAGE) return rows;
  }
}

const MOST_SHOWN = 100;

const MISMATCHES = OUTCOMES.filter((outcome) => outcome !== 'matched');

/** The first rows of a run that do not match; those of several runs are read by one statement. */
export async function loadFirstMismatches(call: Call, run: string): Promise<readonly ReconciliationItem[]> {
  return (await loadTogether(call, loadFirstMismatches, run, (runs) => readFirstMismatches(call, runs))) ?? [];
}

async function readFirstMismatches(
  { db, viewer }: Call,
  runs: readonly string[],
): Promise<Map<string, ReconciliationItem[]>> {
  const found = await db.rows<ReconciliationItem>(sql`
    select i.* from unnest(${runs}::text[]) as n (run) cross join lateral (
      ${itemSelect} where r.run = n.run and r.outcome = any(${MISMATCHES}) and ${whereWithin(viewer, OF_ITS_PAYMENT)} order by r.idx limit ${MOST_SHOWN}) i order by i.run,
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
      ) r join reconciliation_item i on i.run = r.name where i.outcome = any(${MISMATCHES}) limit ${MOST_COUNTED + 1}
    ) d`);
  return row!.count;
}
