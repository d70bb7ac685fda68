import { pursueClaims } from '../payments/enquiries/schedule.ts';
import { raiseAnomalies } from '../anomalies/raise.ts';
import { askAtOnce, listClaims } from '../callbacks/claims/keep.ts';
import { settleClaim } from '../callbacks/claims/settle.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import type { ReconciliationRun } from '../../generated/prisma/client.ts';
import { isExact } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { takeTurns } from '../../kernel/event-loop.ts';
import { Books, type Compared, type MatchOutcome, type Recorded, compareStatement } from './compare.ts';
import { getRun, findStatementRows } from './find.ts';
import { mismatchFindingsOf, intentsRaised } from './findings.ts';
import { formatOf } from './format.ts';
import { type StatementRow, readStatement } from './read.ts';
import { say } from '../../kernel/text/said.ts';

export interface StatementInput {
  readonly provider: string;
  readonly body: Buffer;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

interface Comparison {
  readonly provider: string;
  readonly rows: readonly StatementRow[];
  readonly ignored: number;
  readonly sourceHash: string;
  /** The first moment of the period, and the first after it. */
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly rerunOf: string | null;
}

/**
 * What one statement asks or writes: enough for few of them, and so little that neither this process nor the database
 * is held up.
 */
const BATCH = 2_000;

/**
 * Compares a provider's settlement statement with what is recorded, keeps what came of it, and raises what does not
 * fit.
 */
export async function reconcileStatement(
  call: Call,
  { provider, body, fromDate, toDate }: StatementInput,
): Promise<ReconciliationRun> {
  const { rows, ignored, hash } = await readStatement(body, formatOf(call, provider));
  await settleClaims(call, provider, rows);
  return compareAndStore(call, {
    provider,
    rows,
    ignored,
    sourceHash: hash,
    ...periodOf(rows, fromDate ?? null, toDate ?? null),
    rerunOf: null,
  });
}

/** Settles what was reported without a signature, and is in the statement with what it paid; asks about other such. */
async function settleClaims(call: Call, provider: string, rows: readonly StatementRow[]): Promise<void> {
  const biller = call.config.billers.find(({ name, enquiries }) => name === provider && enquiries !== null);
  if (!biller) return;
  const claims = new Set(await listClaims(call, provider));
  const claimed = rows.filter(({ txnId }) => txnId !== null && claims.has(txnId));
  const unclear: string[] = [];
  for (const { txnId, paidFor: reference, settledAt: paidAt, amount, currency: said } of claimed) {
    const currency = said ?? (biller.currencies?.length === 1 ? biller.currencies[0] : undefined);
    if (reference === null || paidAt === null || currency === undefined || !isExact(amount, currency))
      unclear.push(txnId!);
    else await settleClaim(call, biller, { txnId: txnId!, reference, amount, currency, paidAt });
  }
  if (unclear.length > 0) await askAtOnce(call, provider, unclear);
}

/** Compares the statement of an earlier run again, with what is recorded now. The earlier run stays as it is. */
export async function rerunReconciliation(call: Call, name: string): Promise<ReconciliationRun> {
  const { provider, sourceHash, fromAt, toAt, ignored } = await getRun(call, name);
  const rows = await findStatementRows(call, name);
  return compareAndStore(call, { provider, rows, ignored, sourceHash, fromAt, toAt, rerunOf: name });
}

/** The days of a statement: those that were named, or else those that its rows have. */
function periodOf(rows: readonly StatementRow[], from: Date | null, to: Date | null): { fromAt: Date; toAt: Date } {
  const moments = rows.flatMap(({ settledAt }) => settledAt?.getTime() ?? []);
  const first = from?.getTime() ?? moments.reduce((least, moment) => Math.min(least, moment), Infinity);
  const last = to?.getTime() ?? moments.reduce((most, moment) => Math.max(most, moment), -Infinity);
  if (!Number.isFinite(first)) throw refuseValue('fromDate', say`is required: the statement contains no dates`);
  if (!Number.isFinite(last)) throw refuseValue('toDate', say`is required: the statement contains no dates`);
  if (last < first) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  return { fromAt: dayOf(new Date(first)), toAt: new Date(dayOf(new Date(last)).getTime() + DAY_MS) };
}

async function compareAndStore(call: Call, comparison: Comparison): Promise<ReconciliationRun> {
  const at = call.now();
  const name = await call.docnames.next('reconciliation', at);
  const compared = await compareStatement(comparison.rows, await readBooks(call, comparison));
  const counts: Record<MatchOutcome, number> = {
    matched: 0,
    missing_here: 0,
    missing_there: 0,
    amount_differs: 0,
    duplicate: 0,
  };
  for (const { outcome } of compared) counts[outcome]++;
  const changed = insertRun(call, name, comparison, counts, at);
  const raised = await raiseAnomalies(
    call,
    changed,
    mismatchFindingsOf(name, comparison, compared, await agenciesPaidBy(call, intentsRaised(compared))),
  );
  for await (const batch of takeTurns(listMissing(compared), BATCH)) await call.db.rows(pursueClaims(batch, at, 0));
  await call.transaction(async (db) => {
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
    let before = 0;
    for await (const batch of takeTurns(compared, BATCH)) {
      await db.rows(insertItems(name, batch, before));
      before += batch.length;
    }
  });
  return getRun(call, name);
}

/** What the statement may speak of, by the references in it, or by its period: intents, and money at a payment point. */
async function readBooks({ db }: Call, { provider, rows, fromAt, toAt }: Comparison): Promise<Books> {
  const books = new Books();
  const money = sql`select name, txn_id as reference, null as status, amount, currency,
    received_at >= ${fromAt} and received_at < ${toAt} as within
    from money_received where provider = ${provider} and intent is null`;
  const columns = sql`name, aggregator_reference as reference, status, amount, currency,
    coalesce(confirmed_at >= ${fromAt} and confirmed_at < ${toAt}, false) as within`;
  for await (const batch of takeTurns(rows, BATCH)) {
    const references = json([...new Set(batch.map(({ reference }) => reference))]);
    const named = await db.rows<Recorded>(sql`
      with named as (select jsonb_array_elements_text(${references}::jsonb) as reference)
      select ${columns} from payment_intent where aggregator = ${provider} and name in (select reference from named)
      union select ${columns} from payment_intent where aggregator = ${provider}
        and aggregator_reference in (select reference from named)
      union all ${money} and txn_id in (select reference from named)`);
    for (const intent of named) books.add(intent);
  }
  for (const one of await db.rows<Recorded>(sql`${money} and received_at >= ${fromAt} and received_at < ${toAt}`))
    books.add(one);
  for (let last = ''; ;) {
    const page = await db.rows<Recorded>(sql`
      select ${columns} from payment_intent
      where aggregator = ${provider} and status = 'Confirmed' and confirmed_at >= ${fromAt} and confirmed_at < ${toAt}
        and name > ${last}
      order by name limit ${BATCH}`);
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
  { provider, ignored, sourceHash, fromAt, toAt, rerunOf }: Comparison,
  counts: Record<MatchOutcome, number>,
  at: Date,
): Step {
  // The rows themselves are in the items of the run.
  return guard`
    insert into reconciliation_run (name, provider, from_at, to_at, rerun_of, source_hash, rows, ignored, matched,
      missing_here, missing_there,
      amount_differs, duplicate, created_by, created_at)
    values (${name}, ${provider}, ${fromAt}, ${toAt}, ${rerunOf}, ${sourceHash}, '[]', ${ignored}, ${counts.matched},
      ${counts.missing_here}, ${counts.missing_there}, ${counts.amount_differs}, ${counts.duplicate}, ${viewer.actor},
        ${at})
    returning name`;
}

function insertItems(run: string, compared: readonly Compared[], before: number): Sql {
  const items = compared.map(({ outcome, row, intent }, index) => ({
    name: `${run}.${String(before + index + 1).padStart(6, '0')}`,
    idx: before + index + 1,
    outcome,
    line: row?.line ?? null,
    reference: row?.reference ?? intent!.reference ?? intent!.name,
    intent: intent?.status ? intent.name : null,
    intent_status: intent?.status ?? null,
    statement_amount: row?.amount ?? null,
    statement_currency: row?.currency ?? null,
    recorded_amount: intent?.amount ?? null,
    recorded_currency: intent?.currency ?? null,
    txn_id: row?.txnId ?? null,
  }));
  return sql`
    insert into reconciliation_item (name, run, idx, outcome, line, reference, intent, intent_status, statement_amount,
      statement_currency,
      recorded_amount, recorded_currency, txn_id)
    select i.name, ${run}, i.idx, i.outcome, i.line, i.reference, i.intent, i.intent_status, i.statement_amount,
      i.statement_currency,
      i.recorded_amount, i.recorded_currency, i.txn_id
    from jsonb_to_recordset(${json(items)}::jsonb) as i (name text, idx int, outcome text, line int, reference text,
      intent text,
      intent_status text, statement_amount numeric, statement_currency text, recorded_amount numeric,
        recorded_currency text, txn_id text)`;
}

/**
 * What the statement has as paid and the rail has not: it is asked about at once, and most of it is settled
 * automatically.
 */
function listMissing(compared: readonly Compared[]): string[] {
  return compared.flatMap(({ outcome, intent }) => (outcome === 'missing_here' && intent?.status ? [intent.name] : []));
}
