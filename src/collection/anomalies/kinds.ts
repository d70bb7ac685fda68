import { z } from '../../kernel/zod.ts';

/** Urgency of an anomaly. */
export const SEVERITIES = {
  low: 'Worth knowing; a look within the month is enough.',
  medium: 'To be reviewed within days.',
  high: 'To be reviewed at once: money or records may be at risk.',
} as const;

export type Severity = keyof typeof SEVERITIES;

interface KindOfAnomaly {
  readonly severity: Severity;
  readonly title: string;
  /** The event that it stands for. */
  readonly meaning: string;
  /** Action that somebody should take about it. */
  readonly whatToDo: string;
  /** True if it is raised once for its subject, such as a day, and not again after it was resolved. */
  readonly once?: true;
  /** From when on it is raised, with the values that hold where nothing else is configured; left out: always. */
  readonly thresholds?: z.ZodType;
}

const part = z.number().min(0).max(100);
const count = z.int().min(1).max(1_000_000);
const hour = z.int().min(0).max(24);

/** Every kind of anomaly that the rail raises. Code that lists, explains or configures kinds reads them here. */
export const ANOMALIES = {
  cash_variance: {
    severity: 'medium',
    title: 'Cash at a counter differs from the expected amount',
    meaning: 'A shift was closed with more or less cash than expected, beyond the tolerance.',
    whatToDo:
      'Have a supervisor decide on the shift, and compare the counter with others. Recurring shortages indicate theft or mistakes with change.',
    /** A share of the expected cash, and an amount by currency; the larger of both is tolerated. */
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
    meaning: 'A second payment arrived for an assessment that was already paid. Both payments are recorded.',
    whatToDo:
      'Request a refund of the second payment, with the reason `duplicate`. If this often happens in one channel, payers may be able to pay again before they see that their payment succeeded.',
  },
  late_collection: {
    severity: 'medium',
    title: 'A payment arrived late',
    meaning: 'A collection was completed after its intent failed or expired, or after its assessment was cancelled.',
    whatToDo:
      'If the assessment was cancelled, request a refund with the reason `late_collection`. Otherwise no action is needed.',
  },
  amount_mismatch: {
    severity: 'high',
    title: 'An aggregator collected a different amount',
    meaning: 'The amount that the aggregator reports differs from the amount requested. The payment was not confirmed.',
    whatToDo:
      'Contact the aggregator with the reference in the trace, and resolve the difference before confirming the payment manually.',
  },
  money_unmatched: {
    severity: 'high',
    title: 'Money arrived that pays nothing',
    meaning:
      'A payment point took money that is not the exact amount of a payment reference that could be paid then. Or a fault of the rail kept money from being recorded as a payment. No payment was recorded.',
    whatToDo:
      'Allocate it to the assessment that it was for with POST /v1/ops/money-received:allocate, or request a refund of it with POST /v1/refunds. The payer can still pay the exact amount.',
  },
  money_open: {
    severity: 'medium',
    title: 'Money that paid nothing is not settled',
    meaning: 'Money arrived more than 5 days ago, paid nothing, and is not allocated, given back or closed.',
    whatToDo:
      'Allocate it, request a refund of it, or close it. Its page in the console suggests assessments that it may have been for.',
  },
  refund_stuck: {
    severity: 'medium',
    title: 'A refund is not paid',
    meaning: 'A provider was asked for a refund more than a day ago, and has not said that it paid it.',
    whatToDo:
      "Look the refund up in the provider's portal. If it was paid, have a finance officer prove it with POST /v1/refunds/{name}:prove. If not, ask the provider why.",
  },
  refund_to_recover: {
    severity: 'medium',
    title: 'Agencies owe the collector a refund',
    meaning:
      "A provider paid a refund from the collector's account, although the money had gone to agencies. The evidence says which agency owes how much.",
    whatToDo: 'Have the agencies return their shares to the collector, and write in the outcome how.',
  },
  dispute: {
    severity: 'high',
    title: 'A payer disputes a payment',
    meaning:
      'A payer asked their bank to take a payment back. The evidence says how much, the number of the dispute at the provider, and the day by which to answer.',
    whatToDo:
      'Answer the provider by that day, with what the agency delivered. If the provider takes the money back, enter it with POST /v1/refunds and the method `chargeback`, which resolves this. If it does not, write that in the outcome.',
  },
  event_reused: {
    severity: 'high',
    title: 'The ID of an event was used again for something else',
    meaning:
      'A payment point, a provider or an agency sent something new under the ID of an event that was decided on before. It was refused, and nothing confirmed. Money in it is listed as received.',
    whatToDo:
      'Ask the sender to give each event an ID of its own. Settle money that is still listed with the sender: it paid nothing.',
  },
  reference_probing: {
    severity: 'high',
    once: true,
    title: 'A payment point guesses payment references',
    meaning: 'A payment point asked for more unknown payment references in a minute than it may. Raised once a day.',
    whatToDo:
      'Ask the payment point what happened: payers who mistype are few. Replace its secret if somebody else may have it.',
  },
  claim_unproved: {
    severity: 'medium',
    once: true,
    title: 'Payments were reported that nothing proves',
    meaning:
      'Somebody reported payments at a payment point without a signature. The payment point was asked for three days and did not confirm them. Raised once for each day on which they were reported.',
    whatToDo:
      'Compare the transactions with the statement of the payment point, and reconcile it: the payment point is asked again about those in it. Those that M-Pesa no longer lists wait for the approval of a second operator. The others are forged.',
  },
  statement_mismatch: {
    severity: 'high',
    title: 'A settlement statement differs from recorded payments',
    meaning:
      'A row of the statement has no recorded payment, a recorded payment is missing from the statement, or the amounts differ.',
    whatToDo:
      'Missing here: the aggregator was asked automatically; check whether the payment has been confirmed, and reconcile the statement again. Missing from the statement: ask the aggregator where the money is. Below zero: the provider gave money back; enter it as a refund by `chargeback`.',
  },
  cash_outside_shift: {
    severity: 'high',
    title: 'Cash was taken outside a shift',
    meaning: 'Cash was confirmed by someone without an Open shift, so that no cash count covers it.',
    whatToDo:
      'Ask the person who confirmed it where the cash is, and count it. This is only possible in sandbox mode; live mode refuses such cash.',
  },
  cash_by_key: {
    severity: 'medium',
    once: true,
    title: 'Cash was confirmed with a key',
    meaning:
      'Cash was counted in a shift by software with an API key, and not by a member of staff who logged in. Raised once for each shift.',
    whatToDo: 'Check that the key stands at a counter, and who uses it. Compare its shift with the cash that arrived.',
  },
  split_differs: {
    severity: 'high',
    title: 'A payment was split differently from its assessment lines',
    meaning:
      "A caller with the scope payments.split had agencies paid amounts other than those owed by the assessment's lines.",
    whatToDo:
      'Check the agreement under which the key was granted that scope. If there is none, revoke the key and settle the difference between the agencies.',
  },
  notice_rejected: {
    severity: 'high',
    title: 'An agency rejected the notice of a payment',
    meaning:
      'An agency that was notified of a payment, or of its reversal, rejected it afterwards. It counts as not notified.',
    whatToDo:
      'Read the reason in the trace, settle it with the agency, and send the notice again with POST /v1/ops/propagations/{name}:retry.',
  },
  bill_changed: {
    severity: 'medium',
    title: 'An agency says that another amount is owed',
    meaning:
      'The amount that an agency says is owed differs from the lines of an assessment that is not paid yet. The assessment was left as it is.',
    whatToDo:
      'Compare the fees of the catalogue with those of the agency. Cancel the assessment and have it made again where its amount is wrong.',
  },
  reversal: {
    severity: 'low',
    title: 'A payment was reversed',
    meaning: 'A paid assessment was cancelled, and its payments were reversed.',
    whatToDo: 'Check that the reason is valid, and that payments are not reversed by the people who collect them.',
  },
  cancellation_rate: {
    severity: 'high',
    once: true,
    title: 'A counter cancels an unusual share of its collections',
    meaning:
      "An unusual share of a counter's collections on one day was cancelled. Cancelling after handing out a receipt is a common way to steal cash.",
    whatToDo: "Compare the cancelled collections with payers' receipts and with the cash counted.",
    /** A share of the collections of a counter on a day; and how many at least. */
    thresholds: z.strictObject({ rate: part.default(0.2), least: count.default(5) }).prefault({}),
  },
  off_hours: {
    severity: 'medium',
    once: true,
    title: 'Cash was collected while counters are closed',
    meaning: 'An agency recorded cash collections outside opening hours.',
    whatToDo: 'Find out who was on duty. If the counters are open longer, correct the hours in the configuration.',
    /**
     * Cash outside these hours, by the time zone of the agency's country or else so many hours ahead of UTC; and how
     * many collections of an agency on a day at least.
     */
    thresholds: z
      .strictObject({
        from_hour: hour.default(6),
        to_hour: hour.default(20),
        utc_offset_hours: z.number().min(-12).max(14).optional(),
        least: count.default(3),
      })
      .prefault({}),
  },
  round_amounts: {
    severity: 'medium',
    once: true,
    title: 'Unusually many amounts are round',
    meaning:
      "On one day, far more of an agency's amounts than usual were multiples of a large unit. Official fees rarely are; invented amounts often are.",
    whatToDo: 'Review the assessments: which services they include, and who created them.',
    /**
     * By how much more of a day's amounts than usual are multiples of the unit; of how many payments at least; compared
     * with how many days.
     */
    thresholds: z
      .strictObject({
        unit: count.default(100_000),
        excess: part.default(0.3),
        least: count.default(20),
        days: count.default(28),
      })
      .prefault({}),
  },
  revenue_drop: {
    severity: 'medium',
    once: true,
    title: "An agency's revenue fell sharply",
    meaning: 'Revenue on one day was far lower than on the same weekday of previous weeks.',
    whatToDo:
      'First check for holidays and outages (channels, webhooks), then whether counters collected without recording.',
    /** Standard deviations, and share, by which a day's revenue lies below the same weekday of so many weeks before. */
    thresholds: z
      .strictObject({ deviations: part.default(3), part: part.default(0.5), weeks: count.default(8) })
      .prefault({}),
  },
  revenue_rise: {
    severity: 'low',
    once: true,
    title: "An agency's revenue rose sharply",
    meaning: 'Revenue on one day was far higher than on the same weekday of previous weeks.',
    whatToDo:
      'First check for a deadline, a campaign or a new fee, then for fraudulent payments, such as payments that are reversed soon after.',
    /** The same, above. */
    thresholds: z
      .strictObject({ deviations: part.default(3), part: part.default(1), weeks: count.default(8) })
      .prefault({}),
  },
  payout_short: {
    severity: 'medium',
    title: 'A provider paid out less than it took',
    meaning:
      "A provider's payout to an agency for one day is due, and a part of it arrived. The evidence has the amounts by currency. It is resolved automatically once the rest arrives.",
    whatToDo:
      "Compare the provider's statement with the payments of the day, then ask the provider for the rest. If a fee or a deduction explains it, write so in the outcome.",
  },
  payout_missing: {
    severity: 'high',
    title: 'A payout did not arrive',
    meaning:
      "A provider's payout to an agency for one day is overdue, and no line of the bank's statements is about it. The evidence has the amounts by currency. It is resolved automatically once the money arrives.",
    whatToDo:
      "Check that the bank's statements are sent up to that day, then look for the payout among unknown lines. If it is not there, ask the provider when it paid, and to which account.",
  },
  identity_mismatch: {
    severity: 'medium',
    title: 'The identity authority has another name for a citizen',
    meaning:
      'A citizen was entered by hand, and the identity authority has a different name for the same NIN. Or the authority announced that a record changed. The record was left as it is.',
    whatToDo:
      "Compare the record with the person's document: the NIN or the name was mistyped, or somebody used the number of another. Assessments of the record stay as they are.",
  },
  registry_harvest: {
    severity: 'high',
    once: true,
    title: 'An account looked up many people, and collected from few',
    meaning:
      'On one day, an account looked up or assessed far more people than it opened payments for. That is how a registry is copied.',
    whatToDo:
      'Ask the account what for, see in `GET /v1/ops/citizen-access` which keys and requests it was, and suspend the account where there is no good answer.',
    /** Least people of a day; and most for each assessment of that day with a payment intent. */
    thresholds: z.strictObject({ citizens: count.default(200), per_assessment: count.default(5) }).prefault({}),
  },
  account_changed: {
    severity: 'high',
    title: "An agency's collection account is changed",
    meaning:
      "Two operators agreed that an agency's money goes to another account. On a live rail it takes effect a day later. The evidence says when, and how both accounts end.",
    whatToDo:
      'Confirm the account with the agency, by a contact that you knew before. If it is not theirs, refuse the change in the console before it takes effect.',
  },
  fee_changed: {
    severity: 'medium',
    title: 'A fee was changed by more than 10 %',
    meaning: 'The fee of a service was raised or lowered by more than a tenth. The evidence has both amounts.',
    whatToDo: 'Compare it with the law or the notice that sets the fee.',
  },
  agency_unsigned: {
    severity: 'medium',
    title: "Nobody confirmed an agency's closed day",
    meaning:
      'No finance officer confirmed a closed day of the agency within 3 working days. Raised for the oldest such day, for which the later ones wait. Days before the first statement of its bank need nobody. Resolved once the day is confirmed.',
    whatToDo: 'Have a finance officer of the agency confirm it, or find out what keeps them from it.',
  },
  approved_alone: {
    severity: 'high',
    title: 'What takes two people was approved by one',
    meaning:
      'A request that takes two independent people was approved at the machine, by `approvals:break-glass`. The evidence says which, and why.',
    whatToDo:
      'Find out who did it, and whether nobody else could have approved it. Undo it where that is not so, and make a second, independent operator.',
  },
  operated_alone: {
    severity: 'high',
    title: 'One person changed alone what moves money',
    meaning:
      'On a live rail, one person made a change that moves money or gives access, at the machine or of less than takes two. The evidence says who, what and why.',
    whatToDo:
      'Compare the change with what was decided, by a contact that you knew before. Undo it where nobody decided it, and find out who had access.',
  },
  break_glass_login: {
    severity: 'high',
    title: 'Somebody logged in by password although staff sign in at the identity provider',
    meaning:
      'An account that is kept for emergencies logged in by password. The evidence names it, its session, and the network by a hash.',
    whatToDo:
      'Find out who used the account and why. Unless the identity provider was away, end the session and change the password.',
  },
  wrong_codes: {
    severity: 'high',
    once: true,
    title: 'Somebody with the password of a member of staff guesses at the second factor',
    meaning:
      'Ten wrong codes or passkeys in a row were given for a member of staff, after their right password or in their session. They were told by mail; with 50 the second factor is locked. The evidence names them, and the network of the last try by a hash. Raised once a day for each member of staff.',
    whatToDo:
      'Ask them, in person or by phone, whether it was they. If not, their password is known: have them choose a new one, and see what else was done with it.',
  },
  seal_gap: {
    severity: 'high',
    title: "An agency's seals have a gap",
    meaning: "The sequence of an agency's seals has a gap: rows were deleted directly in the database.",
    whatToDo:
      'Run ledger:verify, preserve a copy of the database, compare it with the seals held by auditors, and find out who had access.',
  },
} as const satisfies Readonly<Record<string, KindOfAnomaly>>;

export type AnomalyKind = keyof typeof ANOMALIES;

export const ANOMALY_KINDS = Object.keys(ANOMALIES) as readonly AnomalyKind[];

export const RAISED_ONCE = ANOMALY_KINDS.filter((kind) => 'once' in ANOMALIES[kind]);
