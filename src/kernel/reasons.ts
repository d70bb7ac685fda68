/**
 * Why an action was refused, for programs: what `details[0].code` of a refusal with several possible reasons says. Codes are only ever
 * added; each description says what a caller can do about it.
 */
export const REASONS = {
  // Confirming a payment.
  collection_pending: 'The aggregator has not completed the collection yet: ask again later, or wait for the webhook.',
  collection_failed: 'The aggregator says that the collection failed. The intent is Failed; a new intent may follow.',
  amount_mismatch: 'The aggregator collected another amount or currency. Asking again does not help; operators look into it.',
  not_sent: 'The intent has not been initiated, or can no longer be confirmed: its `status` says which.',
  already_confirmed: 'The intent is Confirmed already; its payment events are the proof.',
  // Initiating a payment.
  not_pending: 'Only a Pending intent can be initiated, and this one no longer is.',
  expired: 'The intent was not initiated in time; create a new one.',
  being_initiated: 'Another request is initiating this intent right now.',
  assessment_not_payable: 'The assessment is not Assessed, so that there is nothing to collect for it.',
  payer_required: "The channel collects from a phone: send the payer's number as `payer_msisdn`.",
  collection_refused: 'The aggregator refused the collection; the message says why in its words.',
  // Creating a payment intent.
  not_found: 'There is no such thing, or it is not visible to the caller.',
  nothing_to_pay: 'The total of the assessment is zero.',
  channel_closed: 'This rail does not collect through the channel at present.',
  currency_not_collected: 'Nobody collects the currency of the assessment through the channel where its agencies are; choose another channel.',
  splits_differ: 'The splits do not give each agency what its lines of the assessment owe.',
  // Cash.
  cash_needs_counter: 'Cash is taken by staff at a counter, or by a key that operators trust with a counter of the agency.',
  cash_needs_shift: 'Cash is taken in an Open shift of the caller at an agency of the assessment; open one first.',
  cash_in_other_shift: 'The assessment belongs to the shift of somebody else, who alone can take cash for it.',
  shift_closed: 'The shift of the assessment is no longer Open, and what it counted stands.',
  // Assessments.
  not_draft: 'Only a Draft can be assessed.',
  service_not_offered: 'A service of the assessment is no longer offered; make a new assessment.',
  already_cancelled: 'The assessment is Cancelled already.',
  reversal_too_late: 'The assessment was paid too long ago to be reversed.',
  // Shifts.
  shift_not_open: 'Only an Open shift can be closed, counted anew or cancelled.',
  shift_already_open: 'The caller has an Open shift at this agency already; close it first.',
  shift_has_collections: 'Something was collected in the shift, which can therefore only be closed.',
  variance_reason_required: 'The cash counted is not the cash expected: say why in `variance_reason`.',
  no_variance: 'The shift is not closed, or was closed without a variance: there is nothing to decide.',
  variance_decided: 'The variance has been decided on already.',
  // Webhooks.
  no_webhook_endpoint: 'There is nowhere to send it: set `webhook_endpoint` with `PATCH /v1/me`.',
  webhook_disabled: 'The endpoint was switched off after it failed: save `webhook_endpoint` again with `PATCH /v1/me`.',
  being_sent: 'The message is being sent right now.',
  // Keys.
  too_many_keys: 'The account has as many active keys as it may have: revoke one first.',
  key_not_active: 'Only an active key can be rotated; this one is rolling, expired or revoked.',
} as const;

export type Reason = keyof typeof REASONS;

/** The sentence of a description that names the reasons for which an action is refused. */
export function refusedFor(...reasons: readonly Reason[]): string {
  return ` \`details[0].code\` of a refusal is one of ${reasons.map((reason) => `\`${reason}\``).join(', ')}.`;
}
