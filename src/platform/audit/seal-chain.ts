import { createHash, randomBytes } from 'node:crypto';
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

/** Version of a seal: it covers its event as a whole, or by its public part and a commitment to the rest. */
export type SealVersion = 1 | 2;

/** Version of new seals. */
export const SEAL_VERSION: SealVersion = 2;

/** The seal of an event in its chain. */
export interface Seal {
  readonly version: SealVersion;
  /** Null of version 1. */
  readonly commitment: string | null;
  readonly hash: string;
}

/** A salt that nobody guesses: 32 random bytes in hex. */
export function makeSalt(): string {
  return randomBytes(32).toString('hex');
}

/** The hash of an event in its agency's chain, by the version of its seal; its commitment, where it has one. */
export function sealOf(
  version: SealVersion,
  previous: string,
  sequence: number,
  event: SealedFacts,
  salt: string | null,
): Seal {
  if (version === 1) return { version, commitment: null, hash: link(previous, sequence, membersOf(event)) };
  const commitment = commitTo(event, salt ?? '');
  return { version, commitment, hash: link(previous, sequence, [...visibleMembersOf(event), commitment]) };
}

/**
 * Hex SHA-256 of the hash before, the sequence, and members as a JSON array, each on a line of its own. An auditor can
 * recompute it with any language.
 */
function link(previous: string, sequence: number, members: readonly unknown[]): string {
  return digest(`${previous}\n${sequence}\n${JSON.stringify(members)}`);
}

/**
 * Commitment of a seal to the members of an event that oversight may not see: without the salt it reveals nothing, and
 * with it, it proves that they are these and no others.
 */
function commitTo({ intent, assessment, aggregatorReference, txnId }: SealedFacts, salt: string): string {
  return digest(`${salt}\n${JSON.stringify([intent, assessment, aggregatorReference, txnId])}`);
}

/** Members of an event that oversight sees, in the order in which seals cover them. */
function visibleMembersOf({ name, mda, amount, currency, channel, kind, occurredAt }: SealedFacts): unknown[] {
  return [name, mda, amount.toFixed(), currency, channel, kind, occurredAt.toISOString()];
}

function membersOf(event: SealedFacts): unknown[] {
  const { name, intent, assessment, mda, amount, currency, channel, kind, aggregatorReference, txnId, occurredAt } =
    event;
  return [
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
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
