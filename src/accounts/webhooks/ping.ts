import type { Operated } from '../../platform/audit/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { sql } from '../../platform/database/sql.ts';
import { requireEndpoint } from './require-endpoint.ts';

/** Sends a test to an integrator's endpoint, by default the caller's, in the same way as all messages. */
export async function sendTest(
  call: Call,
  integrator: string = call.viewer.integrator!,
  operated?: Operated,
): Promise<{ message: string }> {
  await requireEndpoint(call, integrator);
  const row = await call.db.row<{ last: number }>(
    sql`select coalesce(max(sequence), 0) as last from outbox where object = ${integrator}`,
  );
  const changed = guard`select code from integrator where code = ${integrator}`;
  const payload = { message: 'This is a test.' };
  try {
    await commit(call, {
      subject: integrator,
      guard: changed,
      ...(operated && { operated }),
      messages: [{ type: 'webhook.test', object: integrator, sequence: row!.last + 1, integrator, payload }],
    });
  } catch (error) {
    // Another test took this place in the order.
    if (violatedUniqueOf(error) !== 'outbox_object_sequence_key') throw error;
    return sendTest(call, integrator, operated);
  }
  return { message: 'A test message is being sent. See `myWebhookDeliveries(type: webhook_test)` for the result.' };
}
