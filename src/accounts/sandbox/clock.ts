import type { Call } from '../../platform/call/call.ts';
import { requireSandbox } from '../../platform/call/sandbox.ts';
import { statement } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { bringNoticesForward } from '../../collection/propagation/claim.ts';
import { bringIntentsForward, expireOverdue } from '../../collection/payments/enquiries/expire.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { bringKeysForward } from '../keys/rotate.ts';
import { bringDeliveriesForward } from '../webhooks/redeliver.ts';

/** Time by which an account's records were brought forward, and the number of these. */
export interface Advance {
  readonly seconds: number;
  readonly intents: number;
  readonly notices: number;
  readonly deliveries: number;
  readonly keys: number;
}

export const LONGEST_SECONDS = (10 * 366 * DAY_MS) / 1_000;

/**
 * Lets time pass for one account: what its objects wait for, an expiry, an enquiry or another try, comes sooner by so
 * many seconds. Nothing of others moves, and nothing that has happened.
 */
export async function advanceClock(
  call: Call,
  input: { readonly seconds?: number | null | undefined; readonly to?: Date | null | undefined },
): Promise<Advance> {
  requireSandbox(call);
  const seconds = readSeconds(call, input);
  const account = call.viewer.integrator!;
  const steps = [
    bringIntentsForward(account, seconds),
    bringNoticesForward(account, seconds),
    bringDeliveriesForward(account, seconds),
    bringKeysForward(account, seconds),
  ];
  const [intents, notices, deliveries, keys] = steps.map((step) => sql`(select count(*)::int from ${step})`);
  const moved = await call.db.row<Omit<Advance, 'seconds'>>(
    statement(
      sql`select ${intents!} as intents, ${notices!} as notices, ${deliveries!} as deliveries, ${keys!} as keys`,
    ),
  );
  await expireOverdue({ ...call, once: null });
  call.work.note();
  return { seconds, ...moved! };
}

function readSeconds(
  call: Call,
  { seconds, to }: { readonly seconds?: number | null | undefined; readonly to?: Date | null | undefined },
): number {
  if ((seconds == null) === (to == null)) throw refuseValue('seconds', say`must be given, or ${'to'}: one of them`);
  const path = to == null ? 'seconds' : 'to';
  const ahead = to == null ? seconds! : Math.ceil((to.getTime() - call.now().getTime()) / 1_000);
  if (ahead <= 0) throw refuseValue(path, say`must lie in the future`);
  if (ahead > LONGEST_SECONDS) throw refuseValue(path, say`must be at most 10 years ahead`);
  return ahead;
}
