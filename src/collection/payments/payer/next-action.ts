import type { NextAction } from '../../../adapters/payment/port.ts';
import { isWholeWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type PaymentIntent, readSplitsOf } from '../find.ts';

type Asked = Pick<PaymentIntent, 'name' | 'status' | 'integrator' | 'nextAction'> &
  Partial<Pick<PaymentIntent, 'splits'>>;

/** A next action as the intent keeps it. */
type Kept = Pick<NextAction, 'type' | 'url'> & { readonly expiresAt: string | null };

export function keptAction({ type, url, expiresAt }: NextAction): Kept {
  return { type, url, expiresAt: expiresAt?.toISOString() ?? null };
}

/** The payer's next step, as the aggregator said; null unless the intent is Sent. */
export function nextActionOf({ status, nextAction }: Pick<Asked, 'status' | 'nextAction'>): NextAction | null {
  if (status !== 'Sent' || nextAction === null) return null;
  const { expiresAt, ...action } = nextAction as unknown as Kept;
  return { ...action, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** The same as a caller may know it: the page to pay at is for the payer, and for who made the intent. */
export async function nextActionFor(call: Call, intent: Asked): Promise<NextAction | null> {
  const action = nextActionOf(intent);
  if (!action?.url) return action;
  const { viewer } = call;
  const isOwn = viewer.kind !== 'agency' && viewer.integrator === intent.integrator;
  const isShown = isOwn && isWholeWithin(viewer, intent.splits ?? (await readSplitsOf(call, intent.name)));
  return isShown ? action : { ...action, url: null };
}
