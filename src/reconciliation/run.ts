import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import { type AnomalyFlag, commit } from '../database/change.ts';
import { type Sql, json, sql } from '../database/sql.ts';
import type { ReconciliationRun } from '../generated/prisma/client.ts';
import { Decimal } from '../money.ts';
import { invalid } from '../refusal.ts';
import { type Compared, OUTCOMES, type Recorded, compare } from './compare.ts';
import { getRun } from './find.ts';
import { formatOf } from './format.ts';
import { type Statement, type StatementRow, readStatement } from './read.ts';

export interface StatementInput {
  readonly provider: string;
  readonly body: Buffer;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

interface Comparison {
  readonly provider: string;
  readonly statement: Statement;
  readonly sourceHash: string;
  /** The first moment of the period, and the first after it. */
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly rerunOf: string | null;
}

const DAY_MS = 86_400_000;

/** Compares a provider's settlement statement with what is recorded, keeps what came of it, and flags what does not fit. */
export async function reconcileStatement(call: Call, { provider, body, fromDate, toDate }: StatementInput): Promise<ReconciliationRun> {
  const statement = readStatement(body, formatOf(call, provider));
  const sourceHash = createHash('sha256').update(body).digest('hex');
  return keep(call, { provider, statement, sourceHash, ...periodOf(statement, fromDate ?? null, toDate ?? null), rerunOf: null });
}

/** Compares the statement of an earlier run again, with what is recorded now. The earlier run stays as it is. */
export async function rerunReconciliation(call: Call, name: string): Promise<ReconciliationRun> {
  const { provider, sourceHash, fromAt, toAt, rows, ignored } = await getRun(call, name);
  const statement = { rows: (rows as unknown as StoredRow[]).map(fromStored), ignored };
  return keep(call, { provider, statement, sourceHash, fromAt, toAt, rerunOf: name });
}

/** The days of a statement: those that were named, or else those that its rows have. */
function periodOf({ rows }: Statement, from: Date | null, to: Date | null): { fromAt: Date; toAt: Date } {
  const moments = rows.flatMap(({ settledAt }) => settledAt?.getTime() ?? []);
  const first = from?.getTime() ?? moments.reduce((least, moment) => Math.min(least, moment), Infinity);
  const last = to?.getTime() ?? moments.reduce((most, moment) => Math.max(most, moment), -Infinity);
  if (!Number.isFinite(first)) throw invalid('from_date', 'is required: the statement has no dates of its own');
  if (!Number.isFinite(last)) throw invalid('to_date', 'is required: the statement has no dates of its own');
  if (last < first) throw invalid('to_date', 'must not be before from_date');
  return { fromAt: dayOf(first), toAt: new Date(dayOf(last).getTime() + DAY_MS) };
}

function dayOf(moment: number): Date {
  return new Date(Math.floor(moment / DAY_MS) * DAY_MS);
}

async function keep(call: Call, comparison: Comparison): Promise<ReconciliationRun> {
  const at = call.now();
  const name = await call.docnames.next('reconciliation', at);
  const compared = compare(comparison.statement.rows, await recordedFor(call, comparison));
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, compared.filter((item) => item.outcome === outcome).length]));
  const mismatches = compared.filter(({ outcome }) => outcome !== 'matched');
  await commit(call, {
    subject: name,
    steps: {
      changed: storedRun(call, name, comparison, counts, at),
      items: storedItems(name, compared),
      asked: askedAgain(mismatches, at),
    },
    anomalies: await flags(call, name, comparison.provider, mismatches),
    operated: {
      action: 'reconciliation.run',
      subject: name,
      before: null,
      after: { provider: comparison.provider, ...counts },
      reason: null,
    },
  });
  return getRun(call, name);
}

/** The intents that the statement may speak of: by the references in it, or by its period. */
function recordedFor(call: Call, { provider, statement, fromAt, toAt }: Comparison): Promise<Recorded[]> {
  const references = json([...new Set(statement.rows.map(({ reference }) => reference))]);
  const columns = sql`name, aggregator_reference as reference, status, amount, currency,
    coalesce(confirmed_at >= ${fromAt} and confirmed_at < ${toAt}, false) as within`;
  return call.db.rows<Recorded>(sql`
    with named as (select jsonb_array_elements_text(${references}::jsonb) as reference)
    select ${columns} from payment_intent where aggregator = ${provider} and name in (select reference from named)
    union select ${columns} from payment_intent where aggregator = ${provider} and aggregator_reference in (select reference from named)
    union select ${columns} from payment_intent
      where aggregator = ${provider} and status = 'Confirmed' and confirmed_at >= ${fromAt} and confirmed_at < ${toAt}
    order by name`);
}

function storedRun(
  { viewer }: Call,
  name: string,
  { provider, statement, sourceHash, fromAt, toAt, rerunOf }: Comparison,
  counts: Record<string, number | undefined>,
  at: Date,
): Sql {
  return sql`
    insert into reconciliation_run (name, provider, from_at, to_at, rerun_of, source_hash, rows, ignored, matched, missing_here, missing_there,
      amount_differs, duplicate, created_by, created_at)
    values (${name}, ${provider}, ${fromAt}, ${toAt}, ${rerunOf}, ${sourceHash}, ${json(statement.rows)}::jsonb, ${statement.ignored}, ${counts['matched']},
      ${counts['missing_here']}, ${counts['missing_there']}, ${counts['amount_differs']}, ${counts['duplicate']}, ${viewer.actor}, ${at})
    returning name`;
}

function storedItems(run: string, compared: readonly Compared[]): Sql {
  const items = compared.map(({ outcome, row, intent }, index) => ({
    name: `${run}.${String(index + 1).padStart(6, '0')}`,
    idx: index + 1,
    outcome,
    line: row?.line ?? null,
    reference: row?.reference ?? intent!.reference ?? intent!.name,
    intent: intent?.name ?? null,
    intent_status: intent?.status ?? null,
    statement_amount: row?.amount ?? null,
    statement_currency: row?.currency ?? null,
    recorded_amount: intent?.amount ?? null,
    recorded_currency: intent?.currency ?? null,
    txn_id: row?.txnId ?? null,
  }));
  return sql`
    insert into reconciliation_item (name, run, idx, outcome, line, reference, intent, intent_status, statement_amount, statement_currency,
      recorded_amount, recorded_currency, txn_id)
    select i.name, changed.name, i.idx, i.outcome, i.line, i.reference, i.intent, i.intent_status, i.statement_amount, i.statement_currency,
      i.recorded_amount, i.recorded_currency, i.txn_id
    from changed, jsonb_to_recordset(${json(items)}::jsonb) as i (name text, idx int, outcome text, line int, reference text, intent text,
      intent_status text, statement_amount numeric, statement_currency text, recorded_amount numeric, recorded_currency text, txn_id text)`;
}

/** What the statement has as paid and the rail has not is asked about at once: most of it heals by itself. */
function askedAgain(mismatches: readonly Compared[], at: Date): Sql {
  const names = mismatches.flatMap(({ outcome, intent }) => (outcome === 'missing_here' && intent ? [intent.name] : []));
  return sql`
    update payment_intent i set enquire_at = ${at} from changed where i.name in (
      select name from payment_intent where name = any(${names}) and status <> 'Confirmed' and aggregator_reference is not null
      order by name for no key update skip locked)`;
}

async function flags(call: Call, run: string, provider: string, mismatches: readonly Compared[]): Promise<AnomalyFlag[]> {
  const names = await call.docnames.take('anomaly', mismatches.length, call.now());
  return mismatches.map(({ outcome, row, intent }, index) => ({
    name: names[index]!,
    kind: 'statement_mismatch',
    subject: intent?.name ?? `${provider}:${row!.reference}`,
    evidence: {
      run,
      outcome,
      line: row?.line ?? null,
      statement_amount: row?.amount ?? null,
      statement_currency: row?.currency ?? null,
      recorded_amount: intent?.amount ?? null,
      recorded_currency: intent?.currency ?? null,
      intent_status: intent?.status ?? null,
    },
  }));
}

/** A row as a run keeps it. */
interface StoredRow extends Omit<StatementRow, 'amount' | 'settledAt'> {
  readonly amount: number;
  readonly settledAt: string | null;
}

function fromStored({ amount, settledAt, ...row }: StoredRow): StatementRow {
  return { ...row, amount: new Decimal(amount), settledAt: settledAt === null ? null : new Date(settledAt) };
}
