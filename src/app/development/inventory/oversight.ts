/** What views of oversight make of a column that may name a person. */
export interface Reading {
  readonly column: string;
  readonly views: readonly string[];
  readonly becomes: string;
}

/** Every column that may name a person, or is a secret, and that a view of oversight reads all the same. */
export const READINGS: readonly Reading[] = [
  {
    column: 'anomaly.evidence',
    views: ['anomaly'],
    becomes: 'its figures, by a list of members; no docname and no person is in the list',
  },
  { column: 'anomaly.subject', views: ['fact_anomaly'], becomes: 'the number of the shift, of a cash variance alone' },
  {
    column: 'assessment.cancel_reason',
    views: ['fact_cancellation'],
    becomes: 'whether there is one',
  },
  {
    column: 'assessment.citizen',
    views: ['fact_assessed', 'fact_attempt', 'fact_cancellation', 'fact_payer', 'fact_waiting'],
    becomes: 'a number by a salted hash, another one each month or for each agency, to count people',
  },
  { column: 'citizen.name', views: ['fact_registration'], becomes: 'a count by day' },
  { column: 'consent_event.citizen', views: ['fact_registration'], becomes: 'a count by day and agency' },
  { column: 'counter_shift.clerk', views: ['fact_cancellation'], becomes: 'whether one person took and cancelled' },
  { column: 'counter_shift.clerk', views: ['fact_shift'], becomes: 'a salted hash, to count clerks' },
  { column: 'money_received.txn_id', views: ['fact_money_received'], becomes: 'whether it is that of an event' },
  {
    column: 'oversight_salt.salt',
    views: ['fact_assessed', 'fact_attempt', 'fact_cancellation', 'fact_payer', 'fact_shift', 'fact_waiting'],
    becomes: 'salts these numbers; no view shows it',
  },
  { column: 'payment_event.txn_id', views: ['fact_money_received'], becomes: 'whether it is that of money received' },
  {
    column: 'payment_intent.failure_reason',
    views: ['fact_attempt', 'fact_waiting'],
    becomes: 'one of a few causes',
  },
  { column: 'trace_row.actor', views: ['fact_cancellation'], becomes: 'whether one person took and cancelled' },
  { column: 'trace_row.detail', views: ['fact_cancellation'], becomes: 'finds the confirmation and the cancellation' },
];
