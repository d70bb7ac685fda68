/**
 * Reasons of refusals, for programs: `details[0].code` of a refusal with several possible reasons. Codes are only ever
 * added; each description says what a caller can do about it.
 */
export const REASONS = {
  // Confirming a payment.
  collection_pending: 'The aggregator has not completed the collection yet. Try again later, or wait for the webhook.',
  collection_failed:
    'The aggregator reported that the collection failed. The intent is Failed; create a new one to try again.',
  amount_mismatch:
    'The aggregator collected a different amount or currency. Trying again does not help; operators will review it.',
  not_sent: 'The intent has not been initiated, or can no longer be confirmed: see its `status`.',
  already_confirmed: 'The intent is already Confirmed; see its payment events.',
  // Initiating a payment.
  not_pending: 'Only a Pending intent can be initiated, and this one is no longer Pending.',
  expired: 'The intent was not initiated in time; create a new one.',
  being_initiated: 'Another request is initiating this intent right now.',
  assessment_not_payable: 'The assessment is not Assessed, so there is nothing to collect.',
  payer_required: "The channel collects from a phone: send the payer's phone number as `payerMsisdn`.",
  collection_refused: 'The aggregator refused the collection; the message contains its reason.',
  // Creating a payment intent.
  not_found: 'The object does not exist, or the caller may not see it.',
  reference_not_payable: 'The assessment is not Assessed, so no payment reference can be issued for it.',
  link_closed: 'The payment link has expired or was withdrawn, or its account was suspended: ask for another.',
  nothing_to_pay: 'The total of the assessment is zero: settle it by `settleZero`.',
  total_not_zero: 'The total of the assessment is not zero: it has to be paid.',
  channel_closed: 'The channel is currently not available.',
  return_url_not_registered:
    'The host of the return address is none of the `return_hosts` of the account: add it with `updateMe` first.',
  currency_not_collected:
    "The channel does not support the assessment's currency in its agencies' country; choose another channel.",
  splits_differ: "The splits differ from what the assessment's lines owe to each agency.",
  // Bounds that operators set for an account.
  agency_not_allowed: 'The account may not collect for this agency: ask operators for it with `requestLive`.',
  channel_not_allowed: 'The account may not collect by this channel: ask operators for it with `requestLive`.',
  // Callbacks.
  event_reused:
    'The ID of the event was used for another transaction, reference, intent or amount, whose decision stays. Give each event an ID of its own. Money that was reported is listed as `moneyReceived`, and pays nothing.',
  // Cash.
  cash_needs_counter:
    'Only staff at a counter, or a key that operators granted a counter of the agency, can take cash.',
  cash_needs_shift:
    'Taking cash, or paying a refund in cash, requires an Open shift of the caller at an agency of the assessment; open one first.',
  cash_limit: 'The amount is more cash than the agency takes in one payment, or in one shift; the message says which.',
  tendered_too_low: 'The cash that the payer hands over is less than the total of the assessment: take the rest first.',
  cash_in_other_shift: "The assessment belongs to another clerk's shift; only that clerk can take cash for it.",
  shift_closed: 'The shift of the assessment is no longer Open, and its count is final.',
  shift_counted: 'The cash of the shift has been counted: close it before more is taken or given back.',
  own_reversal: 'You confirmed this cash, or the payment is in a shift of yours: somebody else has to reverse it.',
  not_in_own_shift: 'Clerks cancel what is unpaid in an Open shift of their own; a supervisor cancels anything else.',
  paid_to_others:
    'It was paid to agencies that the caller may not see, too: only staff of all of its agencies reverse it.',
  // Citizens.
  citizen_filter_required:
    'A live rail lists citizens to integrators only by `nin`, `phone`, or a `q` of at least 4 characters.',
  too_many_matches: 'More than 50 people match `q`: give more of it, or ask by `nin` or `phone`.',
  identity_mismatch:
    'The identity authority has another name for the NIN. Nothing was changed; operators will review it.',
  // Assessments.
  reference_too_long: 'Your reference has more than 64 characters.',
  metadata_invalid: 'Metadata is an object of at most 20 keys of 40 characters, whose values are texts of at most 200.',
  not_draft: 'Only a Draft can be assessed.',
  service_not_offered:
    'A service of the assessment is no longer offered, or its agency does not collect at present; create a new assessment of others.',
  fee_not_approved:
    'The fee of a new service has not been approved by a second operator yet: leave the service out, or try again once it is.',
  base_required: 'The tariff computes the amount from a value: give it as `baseAmount` of the line.',
  base_not_expected: 'Nothing is computed from a value here: leave out `baseAmount`.',
  amount_required: 'The tariff has the amount stated: give it as `statedAmount` of the line.',
  amount_not_expected: 'The amount is not stated here: leave out `statedAmount`.',
  amount_not_yours: 'The amount is stated by the agency: its staff make such a line.',
  category_unknown: 'The service has no such category: see its tariff.',
  key_taken: 'The key stands for another assessment of the agency, which the row names: choose another key.',
  key_repeated: 'An earlier row of the file has the same key: give each row a key of its own.',
  not_assessed: 'Only an Assessed assessment can be replaced.',
  charges_changed:
    'The services charge other amounts since the replacement was asked for: refuse the request, and ask again.',
  already_cancelled: 'The assessment is already Cancelled.',
  payment_changed: 'More was paid since the reversal was asked for: refuse the request, and ask again.',
  reversal_too_late: 'The assessment was paid too long ago to be reversed.',
  // Refunds.
  refund_not_possible:
    'Nothing of the payment can be refunded, or not in this way: see `refundable` of the payment intent.',
  refund_available_changed: 'Another amount can be refunded than expected: see `refundable` of the payment intent.',
  refund_own: 'The person who took a payment in cash cannot pay it back.',
  money_closed: 'Less of the money is open: the rest has an outcome, or a refund is about to give it back.',
  money_not_exact:
    'The parts do not pay the assessment exactly, or are of several channels or currencies, or too much is written off.',
  refund_too_late: 'The payment is too old to be refunded.',
  // Accounts at banks.
  not_your_account:
    "The account is none of an agency that the caller may see: check the file, and the agency's account.",
  line_decided:
    'A person decided what the line is, or its day is confirmed: have somebody else release it, as long as the day is open.',
  // Closed days of agencies.
  day_not_over: 'The day is not closed yet: that happens at 02:00 by the clock of the agency. Try again then.',
  day_before_unsigned: 'An earlier day of the agency is not confirmed: confirm that one first.',
  exceptions_open: 'Anomalies about missing or short payouts up to the day need an owner, or an outcome.',
  // Shifts.
  shift_not_open: 'Only an Open shift can be closed, refreshed or cancelled.',
  shift_already_open: 'The caller already has an Open shift at this agency; close it first.',
  unpaid_assessments:
    'The shift has unpaid assessments: take their payment or cancel them, or close it with `leaveUnpaid`.',
  shift_has_collections: 'The shift has collections, so it can only be closed.',
  variance_reason_required: 'The cash counted differs from the cash expected: give the reason in `varianceReason`.',
  no_variance: 'The shift is not closed, or was closed without a variance: there is nothing to decide.',
  variance_decided: 'The variance has already been decided.',
  // Single sign-on.
  sign_on_unmapped: 'The identity provider knows the person, but none of their groups has a role and agencies here.',
  sign_on_unverified: 'The identity provider has not verified the e-mail address of the person.',
  sign_on_closed:
    'The person is deactivated here, logs in by password in emergencies, or has the e-mail address of somebody else.',
  sign_on_denied: 'The identity provider let nobody sign in.',
  no_password: 'The person has no password to log in by; have them reset it first.',
  // Webhooks.
  no_webhook_endpoint: 'The account has no endpoint: set `webhookEndpoint` with `updateMe`.',
  webhook_disabled: 'The endpoint was disabled after repeated failures: save `webhookEndpoint` again with `updateMe`.',
  being_sent: 'The message is currently being sent.',
  too_many_endpoints: 'There are 10 endpoints already: remove one first.',
  // Notices.
  notice_withdrawn: 'The notice was withdrawn: publish a new one.',
  // Sandboxes.
  sandbox_only: 'The rail is live: only a sandbox has this.',
  // Going live.
  live_request_pending: 'A request of the account waits for its decision already: see `myLiveRequests`.',
  live_request_decided: 'The request has already been approved or refused.',
  account_not_active: 'The account is suspended: it has to be reactivated first.',
  // The catalogue.
  code_taken: 'The code stands for another agency or service: choose one that is free.',
  revision_stale: 'The record has changed since it was read: read it again, and decide again.',
  account_missing: 'The agency has no collection account yet: ask for one, and have another operator approve it.',
  shifts_open: 'The agency has Open shifts: have them closed first.',
  has_tariff: 'The service has a tariff, which a fee cannot replace: set a tariff.',
  fee_takes_two: 'On a live rail a fee takes two operators: set it at its service, where another approves it.',
  fee_alone: 'On a live rail this fee takes a second operator: ask for it without other changes of the service.',
  account_change_pending: 'A change of the account waits to be decided: approve or refuse it first.',
  account_change_decided: 'The change of the account was decided otherwise already.',
  account_change_by_asker: 'Changing an account takes two people: another operator has to approve what you asked for.',
  // Keys.
  too_many_keys: 'The account has reached its limit of active keys: revoke one first.',
  key_not_active: 'Only an active key can be rotated; this one is rolling, expired or revoked.',
  key_takes_approval:
    'On a live rail, what the key may do takes two operators: issue another key, which somebody else approves.',
  origin_not_allowed:
    'A browser key works only in pages of its own origins, whose browsers send the header `Origin`: see `origins` of the key.',
  // Staff.
  second_factor_required:
    'On a live rail, these roles require a second factor: enrol one with `enrolSecondFactor`, which this session still allows.',
  second_factor_code_required:
    'The account has a second factor: send a `code` of it, a recovery code, or the answer of a passkey.',
  second_factor_code_wrong:
    'The code or passkey is wrong, out of date, or was used before; each counts once. Wait for the next code.',
  second_factor_locked:
    'The second factor is locked after 50 wrong codes without a right one. Choose a new password by a mailed link, or have an operator reset the second factor.',
  passkeys_unavailable:
    'The rail has an IP address for its name, for which browsers make no passkeys: `BASE_URL` sets another.',
  passkey_not_accepted:
    "The browser's answer is not to a request of the last 5 minutes, was used before, or is a known passkey: begin again.",
  too_many_passkeys: 'The account has reached its limit of 10 passkeys: remove one first.',
  log_in_lapsed: 'No login waits for a code in this browser, or not any more: begin again with the password.',
  second_factor_not_enrolled: 'There is no second factor, or none that waits to be confirmed: enrol one first.',
  second_factor_kept: 'On a live rail, these roles require a second factor: enrol another instead of removing it.',
  not_independent:
    'Two independent people have to decide. Within 90 days, one invited or reactivated the other, changed their roles, agencies or second factor, or issued a key to the account. Or a third person did so for both.',
  approval_pending: 'The record waits for another request to be decided: see `approvals`, and have it decided first.',
  approval_decided: 'The request has been approved or refused, or has expired: see its `status`.',
  approval_by_asker: 'This takes two independent people: another one has to approve what you asked for.',
  own_account: 'Nobody can do this to their own account; ask another operator.',
  admins_only: 'Only admins may do this to, or give these roles to, admins and system managers.',
  last_admin: 'This is the last active admin, who stays until there is another.',
  staff_not_active: 'The member of staff is not active: see `status`.',
  staff_active: 'The member of staff is not deactivated: see `status`.',
  grant_decided: 'The request has been decided already.',
  grant_by_asker: 'Making somebody an admin takes two people: another admin has to approve what you asked for.',
  link_not_valid: 'The link has expired, was used, or was replaced by another: ask for a new one.',
  password_too_short: 'The password has fewer than 12 characters.',
  password_too_weak:
    'The password is too common or too easily guessed: choose a longer one, or several unrelated words.',
  // Keys and tokens of agencies.
  key_already_registered: 'The public key, or its `kid`, is registered already: generate another key pair.',
  invalid_grant:
    'The assertion is not accepted: its key is not registered for its agency, or it names another audience, is expired, or was used before. Sign another.',
  unsupported_grant_type: 'The only grant type is `urn:ietf:params:oauth:grant-type:jwt-bearer`.',
  invalid_scope: "The agency's key does not have a scope that was asked for; the message names it.",
} as const;

export type Reason = keyof typeof REASONS;

/**
 * Those that say why a caller may not do something, in any state of things: of `forbidden`; all others but those
 * of credentials and proofs are of `validation_failed`.
 */
export const FORBIDDEN_REASONS = [
  'agency_not_allowed',
  'channel_not_allowed',
  'cash_needs_counter',
  'cash_needs_shift',
  'cash_in_other_shift',
  'own_reversal',
  'refund_own',
  'not_in_own_shift',
  'paid_to_others',
  'second_factor_required',
  'not_independent',
  'approval_by_asker',
  'key_takes_approval',
  'origin_not_allowed',
  'own_account',
  'admins_only',
  'grant_by_asker',
  'invalid_scope',
  'sign_on_unmapped',
  'sign_on_unverified',
  'sign_on_closed',
  'sign_on_denied',
  'account_change_by_asker',
] as const satisfies readonly Reason[];

/** Those of `invalid_credentials`. */
export const CREDENTIAL_REASONS = [
  'second_factor_code_required',
  'second_factor_code_wrong',
  'second_factor_locked',
] as const satisfies readonly Reason[];

export type ForbiddenReason = (typeof FORBIDDEN_REASONS)[number];

/** Those that say why what was shown proves nothing: of `unauthenticated`. */
export const UNPROVEN_REASONS = ['invalid_grant'] as const satisfies readonly Reason[];

export type UnprovenReason = (typeof UNPROVEN_REASONS)[number];

/** The sentence of a description that names the reasons for which an action is refused. */
export function listReasons(...reasons: readonly Reason[]): string {
  return ` If refused, \`details[0].code\` is one of ${reasons.map((reason) => `\`${reason}\``).join(', ')}.`;
}
