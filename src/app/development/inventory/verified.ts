/** Changes of a table by somebody who holds the database that a verification of the ledger finds. */
export interface Verified {
  /** The rows that it is true of, as SQL and in words; all without it. */
  readonly of?: readonly [condition: string, words: string];
  /** Columns in which a change is not found, by the reason. `row` is that one is removed. */
  readonly not?: Readonly<Record<string, readonly string[]>>;
}

const GUARDS = 'counts changes, or says when the last one was';
const LABELS = 'words that no other record repeats';

const ELSEWHERE = 'what somebody else said: compare it with what they keep';

const PAID = 'those of payments since there are receipts';
const OVER = 'those of days that are sealed';
const over = (at: string) => `${at} < (select max(day) + 1 from log_seal)`;

/** The tables whose rows are compared with what they must agree with. All else of them is found. */
export const VERIFIED: Readonly<Record<string, Verified>> = {
  assessment: {
    of: ["status = 'Paid' and exists (select from receipt r where r.assessment = assessment.name)", PAID],
    not: {
      [GUARDS]: ['revision', 'updated_at'],
      [LABELS]: ['cancel_reason', 'reference', 'metadata'],
      'tells which agency gets messages about it': ['source_mda'],
      'makes a row of a file once': ['source_key'],
      'announces once that the due day is over': ['due_passed_at'],
    },
  },
  agency_day: { not: { [GUARDS]: ['updated_at'], 'when a job closed it': ['created_at'] } },
  exemption: { not: { [GUARDS]: ['updated_at'] } },
  assessment_line: {
    of: [
      'exists (select from receipt r join assessment a on a.name = r.assessment where a.name = assessment_line.assessment and a.paid_at is not null)',
      PAID,
    ],
  },
  payment_intent: {
    of: ["status = 'Confirmed' and exists (select from receipt r where r.intent = payment_intent.name)", PAID],
    not: {
      [GUARDS]: ['revision', 'updated_at'],
      'is of use until it is paid': ['payer_msisdn', 'payer_email', 'return_url', 'next_action'],
      'tells how the provider was asked': [
        'failure_reason',
        'claimed_by',
        'claimed_at',
        'enquire_at',
        'enquiries',
        'enquire_until',
      ],
      [LABELS]: ['reference', 'metadata'],
      'says how it came about, and no amount': ['link', 'split_override'],
    },
  },
  split_rule: {
    of: [
      "exists (select from payment_intent i where i.name = split_rule.intent and i.status = 'Confirmed')",
      'those of payments',
    ],
  },
  payment_event: {
    of: ['exists (select from event_seal s where s.event = payment_event.name)', 'those that are sealed'],
    not: { 'seals were made before it was kept; the timeline of the payment tells it too': ['proof'] },
  },
  refund: {
    not: {
      [GUARDS]: ['revision', 'updated_at'],
      [LABELS]: ['note', 'payee_hint'],
      'tells how it was paid, and no amount': [
        'paid_on',
        'document_hash',
        'failure_reason',
        'reference',
        'asked_at',
        'enquire_at',
        'enquiries',
      ],
      'when it was decided: the approval says it too': ['approved_at'],
    },
  },
  refund_share: {},
  event_seal: { not: { 'is covered by no hash': ['sealed_at'] } },
  seal_salt: {},
  unsealed_event: {},
  oversight_stream: {
    of: ["kind = 'payment_event'", 'those of payment events'],
    not: { 'when oversight was shown it': ['at'] },
  },
  oversight_tail: { of: ["kind = 'payment_event'", 'those of payment events'] },
  receipt: { not: { [GUARDS]: ['updated_at'] } },
  signing_key: {
    of: ["use = 'receipt'", 'those of receipts that have signed'],
    not: {
      'without it nothing can be signed; what was signed stays valid': ['private_key'],
      'receipts may be older than their key, where the clock was set back': ['created_at'],
    },
  },
  payment_reference: { of: ["status = 'Paid'", 'those that are paid'], not: { [GUARDS]: ['revision', 'updated_at'] } },
  payment_link: {
    not: {
      [GUARDS]: ['revision', 'updated_at'],
      'only who has the link knows the token': ['token_hash'],
      'where the payer goes on afterwards': ['return_url'],
    },
  },
  money_received: { of: [over('created_at'), OVER] },
  money_outcome: {
    of: ["kind in ('allocated', 'returned')", 'those that were allocated or given back'],
    not: { [LABELS]: ['reason'], 'the audit of operators says it too': ['decided_by'] },
  },
  payment_claim: {
    of: [
      "exists (select from approval a where a.kind = 'claim' and a.subject = provider || ':' || txn_id)",
      'those that two people approved; no other counts for anything before it is proved',
    ],
    not: {
      'when to look for it, which proves nothing': ['paid_at', 'other_moments', 'asks', 'ask_at', 'received_at'],
      'bounds how many wait': ['sender', 'denied'],
    },
  },
  approval: { of: [over('updated_at'), OVER] },
  payer_message: {
    not: {
      [GUARDS]: ['updated_at'],
      'tells how it was sent': [
        'name',
        'transport',
        'language',
        'status',
        'address',
        'attempts',
        'due_at',
        'claimed_at',
        'created_at',
      ],
      'is what the gateway answered': [
        'gateway',
        'gateway_id',
        'cost',
        'currency',
        'failure',
        'sent_at',
        'delivered_at',
      ],
      'payers who cannot be reached have none': ['row'],
    },
  },
  outbox: {
    of: ["type = 'payment_intent.confirmed'", 'those that are about a confirmation'],
    not: { 'tells how it was delivered': ['id', 'sequence', 'agency', 'created_at', 'relayed_at'] },
  },
  fiscal_document: {},
  inbound_callback: {
    of: ["decision = 'confirmed'", 'those that confirmed a payment'],
    not: { [ELSEWHERE]: ['body_hash', 'about'] },
  },
  reconciliation_run: {
    of: [
      "exists (select from operator_audit o where o.subject = reconciliation_run.name and o.action = 'reconciliation.run')",
      'those whose comparison is in the audit',
    ],
    not: {
      [ELSEWHERE]: ['from_at', 'to_at', 'part', 'parts', 'source_hash', 'rows', 'ignored', 'ignored_statuses'],
    },
  },
  reconciliation_item: {
    of: [
      "outcome = 'matched' and intent_status = 'Confirmed' and exists (select from payment_intent i where i.name = reconciliation_item.intent and i.status = 'Confirmed')",
      'those that match a payment',
    ],
    not: {
      [ELSEWHERE]: ['line', 'txn_id'],
      'is how the payment stood when they were compared': ['intent_status'],
    },
  },
  counter_shift: {
    of: [
      "exists (select from operator_audit o where o.subject = counter_shift.name and o.action like 'variance.%' and o.reason is not null) and exists (select from assessment a where a.shift = counter_shift.name)",
      'those with payments whose variance was decided',
    ],
    not: {
      [GUARDS]: ['revision', 'updated_at'],
      [LABELS]: ['counter_label', 'opening_notes', 'variance_reason', 'closing_notes', 'cancel_reason'],
      'says whose shift it was, which no sum shows': ['mda', 'clerk', 'integrator', 'variance_key_issued_by'],
      'says how the cash was counted, and when; what it came to is compared': [
        'denominations',
        'expected_cash',
        'closed_at',
      ],
    },
  },
  propagation: {
    of: ["status = 'done'", 'those that were delivered'],
    not: {
      [GUARDS]: ['updated_at'],
      'tells how it was sent': [
        'attempts',
        'next_attempt_at',
        'claimed_until',
        'last_error',
        'maybe_told',
        'rejections',
        'created_at',
        'done_at',
      ],
      [ELSEWHERE]: ['receipt'],
      'an agency without a system of its own gets none': ['row'],
    },
  },
  anomaly: {
    of: [
      "status = 'Resolved' and exists (select from operator_audit o where o.subject = anomaly.name and o.action = 'anomaly.resolve')",
      'those that somebody resolved',
    ],
    not: {
      [GUARDS]: ['updated_at'],
      'is read by the checks, and covered by no seal: what was found may be found again, and otherwise': [
        'kind',
        'mda',
        'mdas',
        'severity',
        'subject',
        'evidence',
        'raised_at',
      ],
      'says who was to look into it, and when': ['assignee', 'snoozed_until'],
    },
  },
  operator_audit: { of: [over('at'), OVER] },
  citizen_access: { of: [over('at'), OVER] },
  log_seal: {
    of: [
      'day < (select max(day) from log_seal)',
      'those before the last day; seals that are kept outside show the last',
    ],
    not: { 'is covered by no hash': ['sealed_at'] },
  },
};

/** Reasons why no verification covers the other tables: by the word of their `// [unverified]` in Prisma's schema. */
export const UNVERIFIED: Readonly<Record<string, string>> = {
  copied: 'master data: an assessment keeps its own copy of what it needs of them',
  unsealed: 'read by the checks, but covered by no seal: triggers alone keep rows from changes',
  derived: 'made from the tables above for figures',
  stated: 'what banks state: compare it with their statements, of which a hash is kept',
  apart: 'sessions, credentials, limits, deliveries and settings, on which no amount depends',
};
