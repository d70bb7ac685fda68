import { createHash } from 'node:crypto';
import type { Decimal } from '../../kernel/money.ts';

/** A payment event, as far as its seal covers it: all that there is of it. */
export interface SealedFacts {
  readonly name: string;
  readonly intent: string;
  readonly assessment: string;
  readonly mda: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly channel: string;
  readonly kind: string;
  readonly aggregatorReference: string;
  readonly txnId: string | null;
  readonly occurredAt: Date;
}

/** The hash before the first of a chain. */
export const GENESIS = '0'.repeat(64);

/**
 * The hash of an event in its agency's chain: hex SHA-256 of the hash before it, its sequence, and the event as a JSON
 * array, each on a line of its own. An auditor can recompute it with any language.
 */
export function sealOf(previous: string, sequence: number, event: SealedFacts): string {
  const { name, intent, assessment, mda, amount, currency, channel, kind, aggregatorReference, txnId, occurredAt } =
    event;
  const facts = [
    name,
    intent,
    assessment,
    mda,
    amount.toFixed(),
    currency,
    channel,
    kind,
    aggregatorReference,
    txnId,
    occurredAt.toISOString(),
  ];
  return createHash('sha256')
    .update(`${previous}\n${sequence}\n${JSON.stringify(facts)}`)
    .digest('hex');
}
