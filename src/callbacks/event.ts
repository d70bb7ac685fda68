import { z } from 'zod';
import type { Standing } from '../adapters/payment/port.ts';
import { Decimal, fitsJson } from '../money.ts';
import { Refusal } from '../refusal.ts';
import { badText } from '../text.ts';

const text = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => badText(value) === null, 'must be well-formed text without NUL');

const shape = z
  .object({
    event_id: text(255),
    intent: text(64).nullish(),
    reference: text(255).nullish(),
    status: z.enum(['SUCCESSFUL', 'FAILED', 'PENDING']),
    amount: z.number().positive().nullish(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code')
      .nullish(),
    txn_id: text(255).nullish(),
    settled_at: z.iso.datetime({ offset: true }).nullish(),
    reason: text(1_000).nullish(),
  })
  .refine(({ intent, reference }) => intent != null || reference != null, { path: ['intent'], message: 'intent or reference is required' })
  .refine(({ status, amount }) => status !== 'SUCCESSFUL' || amount != null, { path: ['amount'], message: 'is required for a completed collection' })
  .refine(({ status, currency }) => status !== 'SUCCESSFUL' || currency != null, {
    path: ['currency'],
    message: 'is required for a completed collection',
  })
  .refine(({ amount }) => amount == null || fitsJson(new Decimal(amount)), { path: ['amount'], message: 'has too many digits' });

/** What a built-in provider calls back with. */
export type ProviderEvent = z.infer<typeof shape>;

export function parseEvent(body: Buffer): ProviderEvent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal('malformed_request', 'The body is not JSON in UTF-8');
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.') || 'body', message }));
  throw new Refusal('validation_failed', details.map(({ path, message }) => `${path}: ${message}`).join('; '), details);
}

/** The event as a word on how the collection stands. */
export function standingOf(event: ProviderEvent): Standing {
  const { status, amount, currency, txn_id, settled_at, reason, event_id } = event;
  return {
    status,
    txnId: txn_id ?? null,
    amount: amount == null ? null : new Decimal(amount),
    currency: currency ?? null,
    settledAt: settled_at == null ? null : new Date(settled_at),
    reason: reason ?? null,
    response: { event_id, status, txn_id: txn_id ?? null, reason: reason ?? null },
  };
}
