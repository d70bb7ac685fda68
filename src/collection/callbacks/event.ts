import { z } from '../../kernel/zod.ts';
import { readJson } from '../../adapters/http/members.ts';
import type { CallbackPayload, Dispute, RawCallback, ProviderStatus } from '../../adapters/payment/port.ts';
import { Decimal, fitsJson } from '../../kernel/money.ts';
import { Refusal, refuseValues } from '../../kernel/refusal.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { REACH, isWithinReach } from '../../kernel/time.ts';
import type { Call } from '../../platform/call/call.ts';
import { LONGEST_NUMBER } from '../payments/refunds/dispute.ts';
import { isSigned } from './signature.ts';

/** Text that must be there, of so many characters at most. */
export const textUpTo = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => findBadText(value) === null, 'must be well-formed text without NUL');

/** A moment, with its offset. */
export const moment = z.iso
  .datetime({ offset: true, abort: true })
  .refine((value) => isWithinReach(new Date(value)), `must lie ${REACH}`)
  .transform((value) => new Date(value));

const shape = z
  .object({
    event_id: textUpTo(255),
    intent: textUpTo(64).nullish(),
    reference: textUpTo(255).nullish(),
    status: z.enum(['SUCCESSFUL', 'FAILED', 'PENDING', 'DISPUTED']),
    amount: z.number().positive().nullish(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code')
      .nullish(),
    txn_id: textUpTo(255).nullish(),
    settled_at: moment.nullish(),
    dispute: textUpTo(LONGEST_NUMBER).nullish(),
    answer_by: z.iso.date().nullish(),
    reason: textUpTo(1_000).nullish(),
  })
  .refine(({ intent, reference }) => intent != null || reference != null, {
    path: ['intent'],
    message: 'intent or reference is required',
  })
  .refine(({ status, amount }) => (status !== 'SUCCESSFUL' && status !== 'DISPUTED') || amount != null, {
    path: ['amount'],
    message: 'is required for a completed collection, and for a dispute',
  })
  .refine(({ status, dispute }) => status !== 'DISPUTED' || dispute != null, {
    path: ['dispute'],
    message: 'is required for a dispute',
  })
  .refine(({ status, currency }) => status !== 'SUCCESSFUL' || currency != null, {
    path: ['currency'],
    message: 'is required for a completed collection',
  })
  .refine(({ amount }) => amount == null || fitsJson(new Decimal(amount)), {
    path: ['amount'],
    message: 'has too many digits',
  });

type ProviderEvent = z.infer<typeof shape>;

/** Reads a callback in the rail's own form. One whose proof does not fit is not read at all. */
export function readNotice(call: Pick<Call, 'config'>, raw: RawCallback, secrets: readonly string[]): CallbackPayload {
  const signed = isSigned(call, secrets, raw);
  const event = check(shape, requireJson(raw.body));
  return {
    eventId: event.event_id,
    intent: event.intent ?? null,
    reference: event.reference ?? null,
    proof: signed ? 'signed' : 'unsigned',
    claimed: providerStatusOf(event),
    dispute: disputeOf(event),
  };
}

/** A body as JSON. */
export function requireJson(body: Buffer): unknown {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal('malformed_request', 'The body is not valid JSON in UTF-8');
  }
}

/** Content of a callback, in its shape. */
export function check<Shape extends z.ZodType>(
  expected: Shape,
  value: unknown,
  within: readonly string[] = [],
): z.infer<Shape> {
  const parsed = expected.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuseValues(
    parsed.error.issues.map(({ path, message }) => ({ path: [...within, ...path].join('.') || 'body', message })),
  );
}

/** The event as a word on how the collection stands. */
function providerStatusOf(event: ProviderEvent): ProviderStatus {
  const { status, amount, currency, txn_id, settled_at, reason, event_id } = event;
  return {
    // A dispute says nothing new of the collection.
    status: status === 'DISPUTED' ? 'SUCCESSFUL' : status,
    txnId: txn_id ?? null,
    amount: amount == null ? null : new Decimal(amount),
    currency: currency ?? null,
    settledAt: settled_at ?? null,
    reason: reason ?? null,
    response: { event_id, status, txn_id: txn_id ?? null, reason: reason ?? null },
  };
}

function disputeOf({ status, dispute, amount, currency, answer_by }: ProviderEvent): Dispute | null {
  if (status !== 'DISPUTED') return null;
  return {
    reference: dispute!,
    amount: new Decimal(amount!),
    currency: currency ?? null,
    answerBy: answer_by == null ? null : new Date(answer_by),
  };
}
