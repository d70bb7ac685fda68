import { readFileSync } from 'node:fs';
import { z } from '../../kernel/zod.ts';

const part = z.number().min(0).max(100);
const count = z.int().min(1).max(1_000_000);
const hour = z.int().min(0).max(24);

/** When something is strange enough to be flagged: the thresholds of each rule, with those that hold where nothing else is said. */
const shape = z.strictObject({
  /** Of the expected cash, and in a currency; the larger of both is tolerated. */
  cash_variance: z
    .strictObject({
      part: part.default(0.01),
      amounts: z.record(z.string().regex(/^[A-Z]{3}$/), z.number().min(0)).default({ UGX: 10_000, KES: 350, TZS: 7_000, RWF: 4_000, USD: 3, EUR: 3 }),
    })
    .prefault({}),
  /** Of the collections of a counter on a day; and how many at least. */
  cancellation_rate: z.strictObject({ rate: part.default(0.2), least: count.default(5) }).prefault({}),
  /** Cash outside these hours of local time; and how many collections of an agency on a day at least. */
  off_hours: z
    .strictObject({
      from_hour: hour.default(6),
      to_hour: hour.default(20),
      utc_offset_hours: z.number().min(-12).max(14).default(3),
      least: count.default(3),
    })
    .prefault({}),
  /** By how much more of a day's amounts than usual are multiples of the unit; of how many payments at least; beside how many days. */
  round_amounts: z
    .strictObject({ unit: count.default(100_000), excess: part.default(0.3), least: count.default(20), days: count.default(28) })
    .prefault({}),
  /** How many standard deviations, and which part, a day's revenue lies below the same weekday of so many weeks before. */
  revenue_drop: z.strictObject({ deviations: part.default(3), part: part.default(0.5), weeks: count.default(8) }).prefault({}),
  revenue_rise: z.strictObject({ deviations: part.default(3), part: part.default(1), weeks: count.default(8) }).prefault({}),
});

export type Thresholds = z.infer<typeof shape>;

export const usualThresholds: Thresholds = shape.parse({});

/** Reads a file with thresholds; what it leaves out is as usual. Throws an error whose message says what is wrong in it. */
export function readThresholds(path: string): Thresholds {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}
