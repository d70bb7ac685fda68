/** How soon somebody should look at an anomaly. */
export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

interface AnomalyWords {
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
  readonly whatToDo: string;
}

/** Every kind of anomaly that the rail raises: its severity, what it means, and what to do about it. Whatever lists kinds reads them here. */
export const ANOMALIES = {
  cash_variance: {
    severity: 'medium',
    title: 'Cash at a counter is not what it should be',
    meaning: 'A shift was closed with more or less cash than its float and collections, by more than is tolerated.',
    whatToDo:
      'Have the supervisor decide on the shift; compare with the other shifts of that counter. Shortages that come back are theft or a habit of wrong change.',
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
  },
  off_hours: {
    severity: 'medium',
    title: 'Cash was collected while counters are closed',
    meaning: 'On a day, an agency recorded cash collections outside opening hours.',
    whatToDo: 'Ask who was there. Correct the hours in the configuration where counters are open longer.',
  },
  round_amounts: {
    severity: 'medium',
    title: 'Many amounts are suspiciously round',
    meaning:
      'On a day, far more of the amounts of an agency than usual are multiples of a large unit. Official fees seldom are; invented amounts often.',
    whatToDo: 'Look at the assessments behind them: which services, and who made them.',
  },
  revenue_drop: {
    severity: 'medium',
    title: 'The revenue of an agency fell',
    meaning: 'A day brought far less than the same weekday of the weeks before.',
    whatToDo: 'Look at holidays and outages first (channels, webhooks); then at whether counters collected without recording.',
  },
  revenue_rise: {
    severity: 'low',
    title: 'The revenue of an agency rose',
    meaning: 'A day brought far more than the same weekday of the weeks before.',
    whatToDo: 'Look for a deadline, a campaign or a new fee; then for payments that are not real, such as those about to be reversed.',
  },
  seal_gap: {
    severity: 'high',
    title: 'Seals of an agency are missing',
    meaning: "The numbers of an agency's seals have a gap: rows were removed from the database itself.",
    whatToDo: 'Run ledger:verify, keep a copy of the database as it is, compare with the seals that auditors keep, and find out who had access.',
  },
} as const satisfies Readonly<Record<string, AnomalyWords>>;

export type AnomalyKind = keyof typeof ANOMALIES;

export const ANOMALY_KINDS = Object.keys(ANOMALIES) as readonly AnomalyKind[];
