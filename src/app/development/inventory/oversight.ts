/**
 * Every column that may name a person, or is a secret, and that views of oversight read all the same: the views, and what
 * they make of it.
 */
export const READINGS: readonly (readonly [column: string, views: readonly string[], becomes: string])[] = [
  ['anomaly.evidence', ['anomaly'], 'its figures, by a list of members; no docname and no person is in the list'],
  ['anomaly.subject', ['fact_anomaly'], 'the number of the shift, of a cash variance alone'],
  ['assessment.cancel_reason', ['fact_cancellation'], 'whether there is one'],
  [
    'assessment.citizen',
    ['fact_assessed', 'fact_attempt', 'fact_cancellation', 'fact_payer', 'fact_waived', 'fact_waiting'],
    'a number by a salted hash, another one each month or for each agency, to count people',
  ],
  ['citizen.name', ['fact_payer'], 'whether the payer is a person'],
  ['citizen.name', ['fact_registration'], 'a count by day'],
  ['consent_event.citizen', ['fact_registration'], 'a count by day and agency'],
  ['counter_shift.clerk', ['fact_cancellation'], 'whether one person took and cancelled'],
  ['counter_shift.clerk', ['fact_shift'], 'a salted hash, to count clerks'],
  ['exemption.ground', ['fact_waived', 'fact_waiting'], 'a figure, once enough people share it'],
  ['money_received.txn_id', ['fact_money_received'], 'whether it is that of an event'],
  [
    'oversight_salt.salt',
    ['fact_assessed', 'fact_attempt', 'fact_cancellation', 'fact_payer', 'fact_shift', 'fact_waived', 'fact_waiting'],
    'salts these numbers; no view shows it',
  ],
  ['payment_event.txn_id', ['fact_money_received'], 'whether it is that of money received'],
  ['payment_intent.failure_reason', ['fact_attempt', 'fact_waiting'], 'one of a few causes'],
  ['reconciliation_item.reference', ['fact_withheld'], 'whether another statement has the same fee'],
  ['reconciliation_item.txn_id', ['fact_withheld'], 'whether another statement has the same fee'],
  ['trace_row.actor', ['fact_cancellation'], 'whether one person took and cancelled'],
  ['trace_row.detail', ['fact_cancellation'], 'finds the confirmation and the cancellation'],
];
