import { readCopied } from '../../kernel/text/typed.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Database, sql } from './sql.ts';

/** Numbers that a process takes at a time, if it needs no more; unused ones become a gap, never a repetition. */
const BLOCK = 50;

/**
 * Docname series: what they begin with, how far the day of creation goes into them, and how wide the number is at
 * least.
 */
const series = {
  citizen: { prefix: 'CITIZEN', period: 'year', width: 6 },
  consent: { prefix: 'CONSENT', period: 'year', width: 6 },
  service: { prefix: 'SVC', period: 'year', width: 6 },
  key: { prefix: 'KEY', period: 'year', width: 6 },
  liveRequest: { prefix: 'LIVE', period: 'year', width: 6 },
  agencyKey: { prefix: 'AGKEY', period: 'year', width: 6 },
  assessment: { prefix: 'ASMT', period: 'month', width: 6 },
  exemption: { prefix: 'EXM', period: 'year', width: 6 },
  intent: { prefix: 'PI', period: 'month', width: 6 },
  event: { prefix: 'PEV', period: 'month', width: 6 },
  anomaly: { prefix: 'ANOM', period: 'month', width: 6 },
  shift: { prefix: 'SHIFT', period: 'day', width: 3 },
  notice: { prefix: 'NOTICE', period: 'year', width: 3 },
  alertRule: { prefix: 'ALR', period: 'year', width: 6 },
  accountChange: { prefix: 'ACCT', period: 'year', width: 6 },
  reconciliation: { prefix: 'RECON', period: 'month', width: 6 },
  bankStatement: { prefix: 'BST', period: 'month', width: 6 },
  money: { prefix: 'MON', period: 'month', width: 6 },
  refund: { prefix: 'RFD', period: 'month', width: 6 },
  fiscal: { prefix: 'FISC', period: 'month', width: 6 },
  link: { prefix: 'LINK', period: 'month', width: 6 },
  payerMessage: { prefix: 'MSG', period: 'month', width: 6 },
  receipt: { prefix: 'RCP', period: 'month', width: 6 },
  grant: { prefix: 'GRANT', period: 'year', width: 6 },
  delivery: { prefix: 'WHD', period: 'month', width: 6 },
  endpoint: { prefix: 'EP', period: 'year', width: 6 },
} as const;

export type Series = keyof typeof series;

const PERIODS = {
  year: { length: 4, form: '<yyyy>', pattern: String.raw`\d{4}` },
  month: { length: 7, form: '<yyyy>-<mm>', pattern: String.raw`\d{4}-(0[1-9]|1[0-2])` },
  day: { length: 10, form: '<yyyy>-<mm>-<dd>', pattern: String.raw`\d{4}-(0[1-9]|1[0-2])-\d\d` },
} as const;

/** The part of a docname before its number: `ASMT-2026-11`. */
function periodOf(name: Series, at: Date): string {
  const { prefix, period } = series[name];
  return `${prefix}-${at.toISOString().slice(0, PERIODS[period].length)}`;
}

/**
 * The moment before which nothing was written about what has a docname: what is kept by months is looked for from there
 * on. It is a day early, since the clocks of two processes differ; a name without a period has the beginning of time.
 */
export function beginOf(name: string): Date {
  const [, year, month, day] = /^[A-Z]+-(\d{4})-(\d\d)-(?:(\d\d)-)?/.exec(name) ?? [];
  return new Date(year ? Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)) - DAY_MS : 0);
}

const patterns: Partial<Record<Series, RegExp>> = {};

/** The pattern of the names of a series. */
export function docnamePatternOf(name: Series): RegExp {
  const { prefix, period, width } = series[name];
  return (patterns[name] ??= new RegExp(`^${prefix}-${PERIODS[period].pattern}-\\d{${width},18}$`));
}

/** Form of a series' names: `ASMT-<yyyy>-<mm>-<6 digits>`. */
export function docnameFormOf(name: Series): string {
  const { prefix, period, width } = series[name];
  return `${prefix}-${PERIODS[period].form}-<${width} digits>`;
}

/** Example of a name of a series. */
export function exampleDocnameOf(name: Series): string {
  return `${periodOf(name, new Date('2026-11-21'))}-${'1'.padStart(series[name].width, '0')}`;
}

/** True if a name has the form of a series; other names need no look-up. */
export function isDocname(name: Series, value: string): boolean {
  return docnamePatternOf(name).test(value);
}

/** A name as people copy it, with dashes of another kind or none: `RCP–2026–11–000082` is `RCP-2026-11-000082`. */
export function readDocname(typed: string): string {
  return readCopied(typed)
    .toUpperCase()
    .replace(/^([A-Z]+)(\d{4})(\d{2})(\d+)$/, '$1-$2-$3-$4');
}

const SERIES = Object.keys(series) as Series[];

/** True if a name has the form of any series, and so is no code of an agency or account. */
export function isAnyDocname(value: string): boolean {
  return SERIES.some((name) => isDocname(name, value));
}

interface Block {
  next: number;
  end: number;
}

/** Hands out docnames from blocks of numbers, so that creates never queue on one counter row. */
export class Docnames {
  readonly #db: Database;
  readonly #blocks = new Map<string, Block>();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(db: Database) {
    this.#db = db;
  }

  async next(name: Series, at: Date): Promise<string> {
    const [docname] = await this.take(name, 1, at);
    return docname!;
  }

  /** Several names of one series at once. */
  async take(name: Series, count: number, at: Date): Promise<string[]> {
    const period = periodOf(name, at);
    const names: string[] = [];
    while (names.length < count) {
      const block = this.#blocks.get(period);
      if (block && block.next < block.end)
        names.push(`${period}-${String(block.next++).padStart(series[name].width, '0')}`);
      else await this.#refill(period, count - names.length);
    }
    return names;
  }

  #refill(period: string, wanted: number): Promise<void> {
    const underway = this.#fetching.get(period);
    if (underway) return underway;
    const fetching = this.#reserve(period, Math.max(BLOCK, wanted)).finally(() => this.#fetching.delete(period));
    this.#fetching.set(period, fetching);
    return fetching;
  }

  async #reserve(period: string, size: number): Promise<void> {
    const row = await this.#db.row<{ next: number }>(sql`
      insert into docname_counter as c (series, next) values (${period}, ${1 + size})
      on conflict (series) do update set next = c.next + ${size} returning c.next`);
    this.#blocks.set(period, { next: row!.next - size, end: row!.next });
  }
}
