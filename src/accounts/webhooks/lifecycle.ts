import type { Lifecycle } from '../../kernel/lifecycle.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Lifecycle of a message to an endpoint.
 *
 * Triggers of the table that the verbs of this folder change:
 *
 * - `webhook_delivery.feed_queued`: figures include new deliveries.
 * - `webhook_delivery.feed`: figures follow the status.
 * - `webhook_delivery.feed_gone`: figures leave out deleted deliveries.
 */
export const deliveryLifecycle = {
  succeed: { from: ['pending'], to: 'delivered' },
  postpone: { from: ['pending'], to: 'pending' },
  giveUp: { from: ['pending'], to: 'dead' },
  /** One message, by its name: one that waits goes at once. */
  redeliver: { from: ['pending', 'delivered', 'dead'], to: 'pending' },
  redeliverDead: { from: ['dead'], to: 'pending' },
  redeliverAll: { from: ['dead', 'delivered'], to: 'pending' },
} as const satisfies Lifecycle<DeliveryStatus>;
