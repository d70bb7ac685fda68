import type { IntentStatus } from '../generated/prisma/enums.ts';
import type { Decimal } from '../money.ts';
import type { StatementRow } from './read.ts';

export const OUTCOMES = ['matched', 'missing_here', 'missing_there', 'amount_differs', 'duplicate'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** An intent as far as a statement can speak of it. */
export interface Recorded {
  readonly name: string;
  readonly reference: string | null;
  readonly status: IntentStatus;
  readonly amount: Decimal;
  readonly currency: string;
  /** Whether it was confirmed within the period of the statement. */
  readonly within: boolean;
}

export interface Compared {
  readonly outcome: Outcome;
  readonly row: StatementRow | null;
  readonly intent: Recorded | null;
}

/**
 * Lays a statement beside what is recorded: each of its rows matches a Confirmed intent, is missing here, differs in its amount or
 * currency, or says again what an earlier row said; each Confirmed intent of its period that it lacks is missing there.
 */
export function compare(rows: readonly StatementRow[], recorded: readonly Recorded[]): Compared[] {
  const byReference = new Map<string, Recorded>();
  for (const intent of recorded) {
    if (intent.reference !== null) byReference.set(intent.reference, intent);
  }
  for (const intent of recorded) byReference.set(intent.name, intent);
  const told = new Set<string>();
  const compared = rows.map((row): Compared => {
    const intent = byReference.get(row.reference) ?? null;
    const subject = intent?.name ?? row.reference;
    if (told.has(subject)) return { outcome: 'duplicate', row, intent };
    told.add(subject);
    return { outcome: judge(row, intent), row, intent };
  });
  const missing = recorded.filter(({ name, status, within }) => status === 'Confirmed' && within && !told.has(name));
  return [...compared, ...missing.map((intent): Compared => ({ outcome: 'missing_there', row: null, intent }))];
}

function judge({ amount, currency }: StatementRow, intent: Recorded | null): Outcome {
  if (intent?.status !== 'Confirmed') return 'missing_here';
  return intent.amount.equals(amount) && (currency ?? intent.currency) === intent.currency ? 'matched' : 'amount_differs';
}
