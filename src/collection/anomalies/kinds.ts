import { z } from '../../kernel/zod.ts';

/** How soon somebody should look at an anomaly. */
export type Severity = 'low' | 'medium' | 'high';

interface KindOfAnomaly {
  readonly severity: Severity;
  readonly title: string;
  /** What happened. */
  readonly meaning: string;
  /** What somebody should do about it. */
  readonly whatToDo: string;
  /** From when on it is raised, with the values that hold where nothing else is configured; left out: always. */
  readonly thresholds?: z.ZodType;
}

const part = z.number().min(0).max(100);
const count = z.int().min(1).max(1_000_000);
const hour = z.int().min(0).max(24);

/** Every kind of anomaly that the rail raises. Whatever lists, explains or configures kinds reads them here. */
export const ANOMALIES = {
  cash_variance: {
    severity: 'medium',
    title: 'Cash at a counter is not what it should be',
    meaning: 'A shift was closed with more or less cash than its float and collections, by more than is tolerated.',
    whatToDo:
      'Have the supervisor decide on the shift; compare with the other shifts of that counter. Shortages that come back are theft or a habit of wrong change.',
    /** Of the expected cash, and in a currency; the larger of both is tolerated. */
    thresholds: z
      .strictObject({
        part: part.default(0.01),
        amounts: z
          .record(z.string().regex(/^[A-Z]{3}$/), z.number().min(0))
          .default({ UGX: 10_000, KES: 350, TZS: 7_000, RWF: 4_000, USD: 3, EUR: 3 }),
      })
      .prefault({}),
  },
  duplicate_collection: {
    severity: 'high',
    title: 'An assessment was paid twice',
    meaning: 'A second payment arrived for an assessment that had been paid. Both are recorded, since both arrived.',
    whatToDo: 'Refund the payer. If it happens often through one channel, its page lets people pay again before it says that they have.',
  },
  late_collection: {
    severity: 'medium',
    title: 'Money arrived after it was not expected any more',
    meaning: 'A collection was completed after its intent had failed or expired, or its assessment had been cancelled.',
    whatToDo: 'Where the assessment was cancelled, refund the payer; else nothing is owed.',
  },
  amount_mismatch: {
    severity: 'high',
    title: 'An aggregator collected another amount',
    meaning: 'What an aggregator says it collected is not what it was asked for. Nothing was confirmed.',
    whatToDo: 'Ask the aggregator with the reference in the trace, and settle the difference before anything is confirmed by hand.',
  },
  statement_mismatch: {
    severity: 'high',
    title: 'A settlement statement and the books differ',
    meaning: 'A row of a statement has no payment here, a payment is not in the statement, or their amounts differ.',
    whatToDo:
      'Missing here: it was asked about at once; see whether it healed, and run the statement again. Missing there: ask the aggregator where the money is.',
  },
  cash_outside_shift: {
    severity: 'high',
    title: 'Cash was taken outside a shift',
    meaning: 'Cash was confirmed by somebody who had no Open shift that counts it: it is in no till of theirs, and no closing misses it.',
    whatToDo: 'Ask whoever confirmed it where the cash is, and count it. A live rail refuses such cash; only a sandbox takes it.',
  },
  split_differs: {
    severity: 'high',
    title: 'A payment was split otherwise than its lines',
    meaning: 'A caller with the scope payments.split had an aggregator pay agencies other amounts than the lines of the assessment owe them.',
    whatToDo: 'Compare with the agreement under which the key was given that scope; without one, revoke the key and settle between the agencies.',
  },
  reversal: {
    severity: 'low',
    title: 'A payment was reversed',
    meaning: 'A paid assessment was cancelled, and its payments got negative counterparts.',
    whatToDo: 'See that the reason is one, and that those who reverse are not those who collect.',
  },
  cancellation_rate: {
    severity: 'high',
    title: 'A counter cancels much of what it collects',
    meaning:
      'On a day, an unusual part of the collections of a counter was cancelled. Taking money, giving a receipt and cancelling is how cash is stolen.',
    whatToDo: 'Compare the cancelled collections with the receipts that payers hold, and with the cash that was counted.',
    /** Of the collections of a counter on a day; and how many at least. */
    thresholds: z.strictObject({ rate: part.default(0.2), least: count.default(5) }).prefault({}),
  },
  off_hours: {
    severity: 'medium',
    title: 'Cash was collected while counters are closed',
    meaning: 'On a day, an agency recorded cash collections outside opening hours.',
    whatToDo: 'Ask who was there. Correct the hours in the configuration where counters are open longer.',
    /** Cash outside these hours of local time; and how many collections of an agency on a day at least. */
    thresholds: z
      .strictObject({
        from_hour: hour.default(6),
        to_hour: hour.default(20),
        utc_offset_hours: z.number().min(-12).max(14).default(3),
        least: count.default(3),
      })
      .prefault({}),
  },
  round_amounts: {
    severity: 'medium',
    title: 'Many amounts are suspiciously round',
    meaning:
      'On a day, far more of the amounts of an agency than usual are multiples of a large unit. Official fees seldom are; invented amounts often.',
    whatToDo: 'Look at the assessments behind them: which services, and who made them.',
    /** By how much more of a day's amounts than usual are multiples of the unit; of how many payments at least; beside how many days. */
    thresholds: z
      .strictObject({ unit: count.default(100_000), excess: part.default(0.3), least: count.default(20), days: count.default(28) })
      .prefault({}),
  },
  revenue_drop: {
    severity: 'medium',
    title: 'The revenue of an agency fell',
    meaning: 'A day brought far less than the same weekday of the weeks before.',
    whatToDo: 'Look at holidays and outages first (channels, webhooks); then at whether counters collected without recording.',
    /** How many standard deviations, and which part, a day's revenue lies below the same weekday of so many weeks before. */
    thresholds: z.strictObject({ deviations: part.default(3), part: part.default(0.5), weeks: count.default(8) }).prefault({}),
  },
  revenue_rise: {
    severity: 'low',
    title: 'The revenue of an agency rose',
    meaning: 'A day brought far more than the same weekday of the weeks before.',
    whatToDo: 'Look for a deadline, a campaign or a new fee; then for payments that are not real, such as those about to be reversed.',
    /** The same, above. */
    thresholds: z.strictObject({ deviations: part.default(3), part: part.default(1), weeks: count.default(8) }).prefault({}),
  },
  seal_gap: {
    severity: 'high',
    title: 'Seals of an agency are missing',
    meaning: "The numbers of an agency's seals have a gap: rows were removed from the database itself.",
    whatToDo: 'Run ledger:verify, keep a copy of the database as it is, compare with the seals that auditors keep, and find out who had access.',
  },
} as const satisfies Readonly<Record<string, KindOfAnomaly>>;

export type AnomalyKind = keyof typeof ANOMALIES;

export const ANOMALY_KINDS = Object.keys(ANOMALIES) as readonly AnomalyKind[];
