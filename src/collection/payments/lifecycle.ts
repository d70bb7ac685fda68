import type { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/**
 * Lifecycle of an intent. All other transitions are refused. Money that arrives late is still money received, hence
 * `settle` from Failed and Expired.
 *
 * Triggers of the tables that the verbs of this folder change:
 *
 * - `payment_intent.intent_settled`: the assessment, the amount and the currency never change.
 * - `payment_intent.intent_equals_splits`: at commit, the splits add up to the amount, and equal the lines.
 * - `payment_intent.intent_equals_events`: at commit, each split of a Confirmed intent has its event, and no other has one.
 * - `payment_intent.one_book`: a transaction is a payment, or money that paid nothing.
 * - `payment_intent.forget_payer`: the address of the payer goes when the collection ends.
 * - `payment_intent.feed_new`: figures include a new attempt.
 * - `payment_intent.feed`: figures follow the status and the reason.
 * - `payment_intent.remake_copies`: all figures are read again if a Confirmed intent changes its provider.
 * - `split_rule.append_only`: a split never changes.
 * - `split_rule.split_of_new_intent`: at commit, the splits add up to the amount.
 * - `payment_event.append_only`: an event never changes.
 * - `payment_event.event_of_confirmed_intent`: at commit, the intent is Confirmed.
 * - `payment_event.queue_payment_events`: an event waits for its position in the stream and its seal.
 * - `payment_event.feed`: figures include the payment.
 */
export const intentLifecycle = {
  initiate: { from: ['Pending'], to: 'Sent' },
  settle: { from: ['Pending', 'Sent', 'Failed', 'Expired'], to: 'Confirmed', emits: 'payment_intent.confirmed' },
  fail: { from: ['Pending', 'Sent'], to: 'Failed', emits: 'payment_intent.failed' },
  expire: { from: ['Pending', 'Sent'], to: 'Expired', emits: 'payment_intent.expired' },
} as const satisfies Lifecycle<IntentStatus>;
