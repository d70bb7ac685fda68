import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import type { Message } from '../../platform/change/outbox.ts';
import { guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { sql } from '../../platform/database/sql.ts';
import { defaultOf, requireEndpoint } from './require-endpoint.ts';

const TEST = { type: 'webhook.test', payload: { message: 'This is a test.' } } as const;

/** Sends a test to an account's endpoint, by default the caller's, in the same way as all messages. */
export async function sendTest(
  call: Call,
  integrator: string = call.viewer.integrator!,
  operated?: Operated,
): Promise<{ message: string }> {
  await requireEndpoint(call, defaultOf(integrator));
  return queueTest(call, { ...TEST, object: integrator, integrator }, operated);
}

/** Queues a test in the order of the messages about its object. */
export async function queueTest(
  call: Call,
  given: Omit<Message, 'sequence' | 'type' | 'payload'> & Partial<Pick<Message, 'type' | 'payload'>>,
  operated?: Operated,
): Promise<{ message: string }> {
  const message = { ...TEST, ...given };
  const row = await call.db.row<{ next: number }>(
    sql`select coalesce(max(sequence), 0) + 1 as next from outbox where object = ${message.object}`,
  );
  try {
    await commit(call, {
      subject: message.object,
      guard: guard`select 1`,
      ...(operated && { operated }),
      messages: [{ ...message, sequence: row!.next }],
    });
  } catch (error) {
    // Another test took this place in the order.
    if (violatedUniqueOf(error) !== 'outbox_object_sequence_key') throw error;
    return queueTest(call, given, operated);
  }
  return { message: 'A test message is being sent. See `myWebhookDeliveries(type: webhook_test)` for the result.' };
}
