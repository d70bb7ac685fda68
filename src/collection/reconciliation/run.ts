import { pursueClaims } from '../payments/enquiries/schedule.ts';
import { raiseAnomalies } from '../anomalies/raise.ts';
import { askForClaims } from '../callbacks/claims/approve.ts';
import { askAtOnce } from '../callbacks/claims/keep.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import type { ReconciliationRun } from '../../generated/prisma/client.ts';
import { isExact } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, dayIn, formatDay, momentIn } from '../../kernel/time.ts';
import { takeTurns } from '../../kernel/event-loop.ts';
import {
  Books,
  type Compared,
  type MatchOutcome,
  type Recorded,
  type RowOutcome,
  compareStatement,
} from './compare.ts';
import { getRun, findStatementRows } from './find.ts';
import { intentsRaised, mismatchFindingsOf, recordedIn } from './findings.ts';
import { formatOf, zoneOf } from './format.ts';
import { type StatementRow, readStatement } from './read.ts';
import { findRefunds } from './refunds.ts';
import { say } from '../../kernel/text/said.ts';

export interface StatementInput {
  readonly provider: string;
  readonly body: Buffer;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly part?: number | null | undefined;
  readonly parts?: number | null | undefined;
}

interface Comparison {
  readonly provider: string;
  readonly rows: readonly StatementRow[];
  readonly ignored: number;
  readonly ignoredStatuses: Readonly<Record<string, number>>;
  readonly sourceHash: string;
  /** The first moment of the period, and the first after it. */
  readonly fromAt: Date;
  readonly toAt: Date;
  /** Number of the part of the statement, and of all parts; null for a whole one. */
  readonly part: number | null;
  readonly parts: number | null;
  readonly rerunOf: string | null;
}

/**
 * Rows of one query or write: enough for few of them, and so little that neither this process nor the database is held
 * up.
 */
const BATCH = 2_000;

/**
 * Compares a provider's settlement statement with what is recorded, keeps what came of it, and raises what does not
 * fit. It proves nothing: of what was reported without a signature, it has the payment point asked, or a second operator.
 */
export async function reconcileStatement(
  call: Call,
  { provider, body, fromDate, toDate, part = null, parts = null }: StatementInput,
): Promise<ReconciliationRun> {
  const isWhole = part === null && parts === null;
  if (!isWhole && !(part !== null && parts !== null && part <= parts && fromDate && toDate))
    throw refuseValue('part', say`must be given with parts, and with the days of the whole statement`);
  const format = formatOf(call, provider);
  const timeZone = await zoneOf(call, provider, format);
  const { rows, ignored, ignoredStatuses, hash } = await readStatement(body, format, timeZone);
  const paid = rows.filter(({ kind, amount }) => !kind && amount.isPositive());
  for await (const batch of takeTurns(paid, BATCH))
    await askAtOnce(
      call,
      provider,
      batch.flatMap(({ txnId }) => txnId ?? []),
    );
  const run = await compareAndStore(call, {
    provider,
    rows,
    ignored,
    ignoredStatuses,
    sourceHash: hash,
    ...periodOf(paid.length > 0 ? paid : rows, fromDate ?? null, toDate ?? null, timeZone),
    part,
    parts,
    rerunOf: null,
  });
  await askForRest(call, run, paid);
  return run;
}

/** Has a second operator decide on what was reported and is in the statement, where nobody else can be asked any more. */
async function askForRest(
  call: Call,
  { name, provider }: ReconciliationRun,
  rows: readonly StatementRow[],
): Promise<void> {
  const biller = call.config.billers.find((one) => one.name === provider);
  if (!biller) return;
  const own = biller.currencies?.length === 1 ? biller.currencies[0] : undefined;
  const taken = rows.flatMap(({ txnId, paidFor: reference, settledAt: paidAt, amount, currency: said }) => {
    const currency = said ?? own;
    return txnId && reference && paidAt && currency && isExact(amount, currency)
      ? { txnId, reference, amount, currency, paidAt }
      : [];
  });
  await askForClaims(call, biller, name, taken);
}

/** Compares the statement of an earlier run again, with what is recorded now. The earlier run stays as it is. */
export async function rerunReconciliation(call: Call, name: string): Promise<ReconciliationRun> {
  const { rerunOf: _, ...earlier } = await getRun(call, name);
  const rows = await findStatementRows(call, name);
  const ignoredStatuses = earlier.ignoredStatuses as Record<string, number>;
  return compareAndStore(call, { ...earlier, ignoredStatuses, rows, rerunOf: name });
}

/** The days of a statement in its provider's zone: those that were named, or else those that its rows have. */
function periodOf(
  rows: readonly StatementRow[],
  from: Date | null,
  to: Date | null,
  timeZone: string,
): { fromAt: Date; toAt: Date } {
  const moments = rows.flatMap(({ settledAt }) => settledAt ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  const dayOf = (named: Date | null, found: Date | undefined) =>
    named ? formatDay(named) : found && dayIn(found, timeZone);
  const [first, last] = [dayOf(from, moments[0]), dayOf(to, moments.at(-1))];
  if (first === undefined) throw refuseValue('fromDate', say`is required: the statement contains no dates`);
  if (last === undefined) throw refuseValue('toDate', say`is required: the statement contains no dates`);
  if (last < first) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  const next = formatDay(new Date(Date.parse(last) + DAY_MS));
  return { fromAt: momentIn(`${first}T00:00:00`, timeZone), toAt: momentIn(`${next}T00:00:00`, timeZone) };
}

async function compareAndStore(call: Call, whole: Comparison): Promise<ReconciliationRun> {
  const at = call.now();
  const name = await call.docnames.next('reconciliation', at);
  const before = await readPartsBefore(call, whole);
  const back = await findRefunds(call, whole, [...before, ...whole.rows]);
  const rows = whole.rows.filter((row) => row.kind || row.amount.isPositive() || back.has(row));
  const comparison = { ...whole, rows, ignored: whole.ignored + whole.rows.length - rows.length };
  const compared = await compareStatement(rows, await readBooks(call, comparison, before, back), {
    before,
    isWhole: comparison.part === comparison.parts,
  });
  const counts: Record<MatchOutcome, number> & Partial<Record<RowOutcome, number>> = {
    matched: 0,
    missing_here: 0,
    missing_there: 0,
    amount_differs: 0,
    duplicate: 0,
  };
  for (const { outcome } of compared) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const changed = insertRun(call, name, comparison, counts, at);
  const raised = await raiseAnomalies(
    call,
    changed,
    mismatchFindingsOf(name, comparison, compared, await agenciesPaidBy(call, intentsRaised(compared))),
  );
  for await (const batch of takeTurns(listMissing(compared), BATCH)) await call.db.rows(pursueClaims(batch, at, 0));
  await call.rail.transaction(async (db) => {
    await commit(
      { ...call, db },
      {
        subject: name,
        guard: changed,
        steps: raised,
        operated: {
          action: 'reconciliation.run',
          subject: name,
          before: null,
          after: { provider: comparison.provider, ...counts },
          reason: null,
        },
      },
    );
    let written = 0;
    for await (const batch of takeTurns(compared, BATCH)) {
      await db.rows(insertItems(name, batch, written));
      written += batch.length;
    }
  });
  return getRun(call, name);
}

/** The rows of the parts before one, as they were sent last: the last part is compared with all of them. */
async function readPartsBefore(
  call: Call,
  { provider, fromAt, toAt, part, parts }: Comparison,
): Promise<StatementRow[]> {
  if (part === null) return [];
  const runs = await call.db.rows<{ name: string }>(sql`
    select distinct on (part) name from reconciliation_run
    where provider = ${provider} and from_at = ${fromAt} and to_at = ${toAt} and parts = ${parts} and part < ${part}
    order by part, created_at desc, name desc`);
  if (runs.length < part - 1) throw refuseValue('part', say`the parts before it are missing: send them in order`);
  const rows: StatementRow[] = [];
  for (const { name } of runs) for (const row of await findStatementRows(call, name)) rows.push(row);
  return rows;
}

/** Records that the statement may name, by its references or its period: intents, and money that arrived. */
async function readBooks(
  { db }: Call,
  { provider, rows, fromAt, toAt }: Comparison,
  before: readonly StatementRow[],
  back: ReadonlyMap<StatementRow, Recorded>,
): Promise<Books> {
  const books = new Books(back);
  const received = sql`provider = ${provider} and received_at >= ${fromAt} and received_at < ${toAt}`;
  // A payment that the provider booked in another period is in the statement of that period.
  const isElsewhere = (references: Sql) => sql`exists (
    select from reconciliation_item s join reconciliation_run n on n.name = s.run
    where s.outcome = 'matched' and s.refund is null and s.reference in (${references}) and n.provider = ${provider}
      and (n.to_at <= ${fromAt} or n.from_at >= ${toAt}))`;
  const money = sql`select name, txn_id as reference, null as status, true as received, amount, currency,
    ${received} and not ${isElsewhere(sql`txn_id`)} as within
    from money_received where provider = ${provider} and intent is null`;
  const intents = sql`
    select i.name, i.aggregator_reference as reference, i.status, i.status = 'Confirmed' or m.name is not null as received,
      coalesce(m.amount, i.amount) as amount, coalesce(m.currency, i.currency) as currency,
      coalesce(coalesce(m.received_at, i.confirmed_at) >= ${fromAt}
        and coalesce(m.received_at, i.confirmed_at) < ${toAt}, false)
        and not ${isElsewhere(sql`i.name, i.aggregator_reference`)} as within
    from payment_intent i left join lateral (
      select m.name, m.amount, m.currency, m.received_at from money_received m
      where i.status <> 'Confirmed' and m.assessment = i.assessment and m.intent = i.name and m.provider = i.aggregator
      order by m.created_at desc, m.name desc limit 1) m on true
    where i.aggregator = ${provider}`;
  for await (const batch of takeTurns([...before, ...rows], BATCH)) {
    const references = json([...new Set(batch.map(({ reference }) => reference))]);
    const named = await db.rows<Recorded>(sql`
      with named as (select jsonb_array_elements_text(${references}::jsonb) as reference)
      ${intents} and i.name in (select reference from named)
      union ${intents} and i.aggregator_reference in (select reference from named)
      union all ${money} and txn_id in (select reference from named)`);
    for (const intent of named) books.add(intent);
  }
  const arrived = await db.rows<Recorded>(sql`
    ${money} and received_at >= ${fromAt} and received_at < ${toAt}
    union all ${intents} and i.name in (select intent from money_received where ${received})`);
  for (const one of arrived) books.add(one);
  for (let last = ''; ;) {
    const page = await db.rows<Recorded>(sql`
      ${intents} and i.status = 'Confirmed' and i.confirmed_at >= ${fromAt} and i.confirmed_at < ${toAt}
        and i.name > ${last}
      order by i.name limit ${BATCH}`);
    for (const intent of page) books.add(intent);
    if (page.length < BATCH) return books;
    last = page.at(-1)!.name;
  }
}

/** The agencies that intents pay, by intent, the one with the largest share first. */
async function agenciesPaidBy({ db }: Call, intents: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ intent: string; mdas: string[] }>(sql`
    select intent, array_agg(mda order by amount desc, mda) as mdas from split_rule where intent = any(${intents})
    group by intent`);
  return new Map(rows.map(({ intent, mdas }) => [intent, mdas]));
}

function insertRun(
  { viewer }: Call,
  name: string,
  { provider, ignored, ignoredStatuses, sourceHash, fromAt, toAt, part, parts, rerunOf }: Comparison,
  counts: Record<MatchOutcome, number>,
  at: Date,
): Step {
  // The rows themselves are in the items of the run.
  return guard`
    insert into reconciliation_run (name, provider, from_at, to_at, part, parts, rerun_of, source_hash, rows, ignored, ignored_statuses, matched,
      missing_here, missing_there,
      amount_differs, duplicate, created_by, created_at)
    values (${name}, ${provider}, ${fromAt}, ${toAt}, ${part}, ${parts}, ${rerunOf}, ${sourceHash}, '[]', ${ignored}, ${json(ignoredStatuses)}, ${counts.matched},
      ${counts.missing_here}, ${counts.missing_there}, ${counts.amount_differs}, ${counts.duplicate}, ${viewer.actor},
        ${at})
    returning name`;
}

function insertItems(run: string, compared: readonly Compared[], before: number): Sql {
  const items = compared.map((one, index) => {
    const { outcome, row, intent } = one;
    return {
      name: `${run}.${String(before + index + 1).padStart(6, '0')}`,
      idx: before + index + 1,
      outcome,
      line: row?.line ?? null,
      reference: row?.reference ?? intent!.reference ?? intent!.name,
      intent: intent?.back?.intent ?? (intent?.status ? intent.name : null),
      refund: intent?.back?.refund ?? null,
      intent_status: intent?.status ?? null,
      statement_amount: row?.amount ?? null,
      statement_currency: row?.currency ?? null,
      ...recordedIn(one),
      txn_id: row?.txnId ?? null,
    };
  });
  return sql`
    insert into reconciliation_item (name, run, idx, outcome, line, reference, intent, intent_status, statement_amount,
      statement_currency,
      recorded_amount, recorded_currency, txn_id, refund)
    select i.name, ${run}, i.idx, i.outcome, i.line, i.reference, i.intent, i.intent_status, i.statement_amount,
      i.statement_currency,
      i.recorded_amount, i.recorded_currency, i.txn_id, i.refund
    from jsonb_to_recordset(${json(items)}::jsonb) as i (name text, idx int, outcome text, line int, reference text,
      intent text,
      intent_status text, statement_amount numeric, statement_currency text, recorded_amount numeric,
        recorded_currency text, txn_id text, refund text)`;
}

/** Payments of the statement that the rail lacks: they are asked about at once, and most are settled automatically. */
function listMissing(compared: readonly Compared[]): string[] {
  return compared.flatMap(({ outcome, intent }) => (outcome === 'missing_here' && intent?.status ? [intent.name] : []));
}
