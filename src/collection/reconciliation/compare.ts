import type { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { takeTurns } from '../../kernel/event-loop.ts';
import type { StatementRow } from './read.ts';

export const OUTCOMES = ['matched', 'missing_here', 'missing_there', 'amount_differs', 'duplicate'] as const;
export type MatchOutcome = (typeof OUTCOMES)[number];

/** An intent, or money that a payment point has and that paid nothing, as far as a statement can speak of it. */
export interface Recorded {
  readonly name: string;
  readonly reference: string | null;
  /** null: of money. */
  readonly status: IntentStatus | null;
  readonly amount: Decimal;
  readonly currency: string;
  /** Whether it was confirmed, or paid, within the period of the statement. */
  readonly within: boolean;
}

export interface Compared {
  readonly outcome: MatchOutcome;
  readonly row: StatementRow | null;
  readonly intent: Recorded | null;
}

/** What is recorded, by every reference that a statement may use. */
export class Books {
  readonly #byName = new Map<string, Recorded>();
  readonly #byReference = new Map<string, Recorded>();

  add(intent: Recorded): void {
    this.#byName.set(intent.name, intent);
    if (intent.reference !== null) this.#byReference.set(intent.reference, intent);
  }

  find(reference: string): Recorded | null {
    return this.#byName.get(reference) ?? this.#byReference.get(reference) ?? null;
  }

  all(): readonly Recorded[] {
    return [...this.#byName.values()];
  }
}

/**
 * Compares a statement with the records: each of its rows matches a Confirmed intent or money that arrived, is missing
 * here, differs in its amount or currency, or says again what an earlier row said; what was confirmed or arrived in its
 * period and it lacks is missing there.
 */
export async function compareStatement(rows: readonly StatementRow[], books: Books): Promise<Compared[]> {
  const matchedBefore = new Set<string>();
  const compared: Compared[] = [];
  for await (const batch of takeTurns(rows)) {
    for (const row of batch) {
      const intent = books.find(row.reference);
      const subject = intent?.name ?? row.reference;
      compared.push({ outcome: matchedBefore.has(subject) ? 'duplicate' : judge(row, intent), row, intent });
      matchedBefore.add(subject);
    }
  }
  for await (const batch of takeTurns(books.all())) {
    for (const intent of batch) {
      if (isMoney(intent) && intent.within && !matchedBefore.has(intent.name))
        compared.push({ outcome: 'missing_there', row: null, intent });
    }
  }
  return compared;
}

/** Whether it is money that somebody has. */
function isMoney({ status }: Recorded): boolean {
  return status === null || status === 'Confirmed';
}

function judge({ amount, currency }: Pick<StatementRow, 'amount' | 'currency'>, intent: Recorded | null): MatchOutcome {
  if (!intent || !isMoney(intent)) return 'missing_here';
  return intent.amount.equals(amount) && (currency ?? intent.currency) === intent.currency
    ? 'matched'
    : 'amount_differs';
}
