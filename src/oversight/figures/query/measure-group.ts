import type { Call } from '../../../platform/call/call.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import type { DimensionName } from './dimensions.ts';
import type { Reading } from './question.ts';

/** Value of a measure for a group: an amount, a count, a ratio or a moment. */
export type Value = Decimal | number | Date | null;
/** The columns that a group's SQL has, by which its measures are disclosed. */
export type Columns = Readonly<Record<string, unknown>>;

/** A measure, defined once: everything that names, describes or computes it comes from here. */
export interface Measure {
  readonly type: 'Decimal' | 'Int' | 'Float' | 'DateTime';
  readonly description: string;
  /** True if it can be null when its group is not. */
  readonly nullable?: true;
  /** From what was read of a group, and the currency of its amounts. */
  readonly of: (columns: Columns, currency: string | null) => Value;
}

/** Where and when a question is asked. */
export interface Setting {
  readonly now: Date;
  readonly config: Config;
}

export const settingOf = ({ now, config }: Call): Setting => ({ now: now(), config });

/** Measures that are computed together, as they are of the same facts. */
export interface MeasureGroup {
  readonly description: string;
  /**
   * Disclosure of figures about people: in `steps`, of months of many people in which each change waits for the same of
   * others (src/oversight/common/steps.ts); `rounded` down to steps of as many; `none` are about people. The answer
   * holds to it for all measures alike.
   */
  readonly people: 'steps' | 'rounded' | 'none';
  /** The dimensions that these measures can be grouped and filtered by; with `currency` they are given by currency. */
  readonly dimensions: readonly DimensionName[];
  /** True if they are given by currency only when that is asked for: amounts are not among them. */
  readonly acrossCurrencies?: true;
  /** Those by which they are grouped whenever they are disclosed. */
  readonly always?: readonly DimensionName[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Cost of reading a day of it, as a multiple of revenue's. */
  readonly price?: number;
  /** True if it is computed from materialized views. */
  readonly isViewed?: true;
  /**
   * A row for each group of a reading that is asked now: its span, and its keys as `k0` and on. Of figures about people, it is
   * disclosed only where the column `disclosed` is true; `few` is true where one of them is null since it is about too few.
   */
  readonly select: (reading: Reading, setting: Setting) => Sql;
  /**
   * Columns without records, if the measures of a whole are the sums of those of its parts; null if they are not, as
   * for medians and people.
   */
  readonly nothing: Columns | null;
}
