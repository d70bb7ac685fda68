import { CsvError, parse } from 'csv-parse/sync';
import { type Operated, type Operator, recordOperations } from '../../platform/change/operation.ts';
import { always } from '../../platform/change/commit.ts';
import { statement } from '../../platform/change/step.ts';
import { type Database, json, sql } from '../../platform/database/sql.ts';
import { Decimal, fitsJson, isCurrency, minorDigitsOf } from '../../kernel/money.ts';
import { type Refusal, refuseValue } from '../../kernel/refusal.ts';

/** Amount that an agency is to collect in a fiscal year. */
export interface Target {
  readonly mda: string;
  /** `2026/27`, or `2026` where fiscal years begin with January. */
  readonly fiscalYear: string;
  readonly currency: string;
  readonly amount: Decimal;
}

interface Line extends Target {
  readonly line: number;
}

const COLUMNS = ['agency', 'fiscal_year', 'currency', 'amount'] as const;
const MOST_LINES = 10_000;

/** Reads targets from CSV in UTF-8 with the header `agency,fiscal_year,currency,amount`. Refuses a file by its line. */
export function readTargets(text: string): Line[] {
  const [header, ...rows] = readRecords(text);
  if (header?.cells.join() !== COLUMNS.join()) throw refuse(1, `must be the header ${COLUMNS.join()}`);
  if (rows.length > MOST_LINES)
    throw refuse(MOST_LINES + 2, `is one too many: at most ${MOST_LINES} targets at a time`);
  const seen = new Map<string, number>();
  return rows.map(({ cells, line }) => {
    const target = readLine(cells, line);
    const key = keyOf(target);
    if (seen.has(key)) throw refuse(line, `sets ${key} again, which line ${seen.get(key)!} sets`);
    seen.set(key, line);
    return target;
  });
}

function readRecords(text: string): { cells: string[]; line: number }[] {
  try {
    const records = parse(text, { bom: true, trim: true, skip_empty_lines: true, info: true });
    return (records as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record,
      line: info.lines,
    }));
  } catch (error) {
    if (error instanceof CsvError) throw refuse(Number(error['lines'] ?? 1), 'is not CSV with four columns');
    throw error;
  }
}

function readLine([mda = '', fiscalYear = '', currency = '', amount = '']: readonly string[], line: number): Line {
  if (!isFiscalYear(fiscalYear)) throw refuse(line, `has no fiscal year such as 2026/27: ${fiscalYear}`);
  if (!isCurrency(currency)) throw refuse(line, `has no ISO 4217 currency: ${currency}`);
  if (!/^\d{1,15}(\.\d{1,4})?$/.test(amount)) throw refuse(line, `has no amount: ${amount}`);
  const value = new Decimal(amount);
  if (value.isZero() || !fitsJson(value))
    throw refuse(line, 'must have an amount of more than 0 and at most 15 digits');
  if (value.decimalPlaces() > minorDigitsOf(currency))
    throw refuse(line, `must have at most ${minorDigitsOf(currency)} decimals, as ${currency} has`);
  return { mda, fiscalYear, currency, amount: value, line };
}

/** Two years that follow one another, or one. */
function isFiscalYear(text: string): boolean {
  const [, first, second] = /^(\d{4})(?:\/(\d\d))?$/.exec(text) ?? [];
  return first !== undefined && (second === undefined || Number(second) === (Number(first) + 1) % 100);
}

function keyOf({ mda, fiscalYear, currency }: Target): string {
  return `${mda} ${fiscalYear} ${currency}`;
}

function refuse(line: number, message: string): Refusal {
  return refuseValue('file', `line ${line} ${message}`);
}

/** Author of a load of targets, and its transaction. */
export interface Loading extends Operator {
  readonly db: Database;
}

/**
 * Sets targets, all or none; how many were new, or other than before. What a file does not name stays as it is. Each
 * change is in the operators' audit.
 */
export async function loadTargets(loading: Loading, targets: readonly Line[]): Promise<number> {
  const { db, viewer, now } = loading;
  // The second of two loads at once finds what the first one wrote.
  await db.rows(sql`lock table revenue_target in share row exclusive mode`);
  await refuseUnknown(db, targets);
  const changed = await db.rows<Target & { before: Decimal | null }>(sql`
    with asked as (
      select * from jsonb_to_recordset(${json(targets)}::jsonb) as t (mda text, "fiscalYear" text, currency text,
        amount numeric)
    ), was as (select * from revenue_target), changed as (
      insert into revenue_target as t (mda, fiscal_year, currency, amount, set_at, set_by)
      select mda, "fiscalYear", currency, amount, ${now()}, ${viewer.actor} from asked order by 1, 2, 3
      on conflict (mda, fiscal_year, currency) do update set amount = excluded.amount, set_at = excluded.set_at,
        set_by = excluded.set_by
        where t.amount <> excluded.amount
      returning t.mda, t.fiscal_year, t.currency, t.amount
    )
    select c.mda, c.fiscal_year as "fiscalYear", c.currency, c.amount, w.amount as before
    from changed c left join was w using (mda, fiscal_year, currency) order by 1, 2, 3`);
  if (changed.length === 0) return 0;
  const operations = changed.map((target): Operated => ({
    action: 'target.set',
    subject: keyOf(target),
    before: target.before && { amount: target.before },
    after: { amount: target.amount },
    reason: null,
  }));
  await db.rows(statement(sql`select 1`, recordOperations(loading, always, operations)));
  return changed.length;
}

/** Refuses targets of agencies that do not exist, and years that are not how their country names them. */
async function refuseUnknown(db: Database, targets: readonly Line[]): Promise<void> {
  const known = await db.rows<{ mda: string; month: number }>(sql`
    select m.name as mda, c.fiscal_year_month as month from mda m left join country c on c.code = m.country
    where m.name = any(${targets.map(({ mda }) => mda)})`);
  const monthOf = new Map(known.map(({ mda, month }) => [mda, month ?? 1]));
  for (const { mda, fiscalYear, line } of targets) {
    const month = monthOf.get(mda);
    if (month === undefined) throw refuse(line, `names no agency: ${mda}`);
    if (fiscalYear.includes('/') !== month > 1)
      throw refuse(line, `has a fiscal year that ${mda} does not have: write ${month > 1 ? '2026/27' : '2026'}`);
  }
}
