import type { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import type { RowKind } from '../../adapters/payment/statement.ts';
import { eachInTurn } from '../../kernel/event-loop.ts';
import type { StatementRow } from './read.ts';

export const OUTCOMES = ['matched', 'missing_here', 'missing_there', 'amount_differs', 'duplicate'] as const;
export type MatchOutcome = (typeof OUTCOMES)[number];

/** The outcome of a row: what comparing it came to, or its kind where there is nothing to compare. */
export type RowOutcome = MatchOutcome | RowKind;

/** An intent, money that arrived and paid nothing, or a refund, as far as a statement can speak of it. */
export interface Recorded {
  readonly name: string;
  readonly reference: string | null;
  /** null: of money that names no intent. */
  readonly status: IntentStatus | null;
  /** True if the money arrived: it confirmed the intent, or is listed as money that arrived. */
  readonly received: boolean;
  /** Amount received, or else expected. */
  readonly amount: Decimal;
  readonly currency: string;
  /** True if it was confirmed, or paid, within the period of the statement. */
  readonly within: boolean;
  /** Of money that went back: its payment, and its refund; null where the provider gave it back unasked. */
  readonly back?: { readonly intent: string; readonly refund: string | null };
}

export interface Compared {
  readonly outcome: RowOutcome;
  readonly row: StatementRow | null;
  readonly intent: Recorded | null;
}

/** Records by every reference that a statement may use. */
export class Books {
  readonly #byName = new Map<string, Recorded>();
  readonly #byReference = new Map<string, Recorded>();
  readonly #back: ReadonlyMap<StatementRow, Recorded>;

  /** What went back by rows below zero. */
  constructor(back: ReadonlyMap<StatementRow, Recorded> = new Map()) {
    this.#back = back;
  }

  add(intent: Recorded): void {
    this.#byName.set(intent.name, intent);
    if (intent.reference !== null) this.#byReference.set(intent.reference, intent);
  }

  find(row: StatementRow): Recorded | null {
    const { reference, amount, kind } = row;
    if (!kind && amount.isNegative()) return this.#back.get(row) ?? null;
    return this.#byName.get(reference) ?? this.#byReference.get(reference) ?? null;
  }

  all(): readonly Recorded[] {
    return [...this.#byName.values()];
  }
}

/**
 * Compares a statement with the records: each of its rows matches a Confirmed intent or money that arrived, is missing
 * here, differs in its amount or currency, or says again what another row said; what was confirmed or arrived in its
 * period and it lacks is missing there. Rows below zero are compared with refunds likewise, and none of these is missing
 * there: a provider may list them elsewhere. Of one in parts, the rows of those before are known too, and what is missing
 * there once it is whole. Rows of other kinds are compared with nothing.
 */
export async function compareStatement(
  rows: readonly StatementRow[],
  books: Books,
  { before, isWhole }: { readonly before: readonly StatementRow[]; readonly isWhole: boolean },
): Promise<Compared[]> {
  const subjectOf = (row: StatementRow) => books.find(row)?.name ?? row.reference;
  // The first of several rows about one thing that matches counts, also after others.
  const counted = new Map<string, { readonly row: StatementRow; readonly outcome: MatchOutcome }>();
  for await (const row of eachInTurn([...before, ...rows])) {
    if (row.kind) continue;
    const subject = subjectOf(row);
    const outcome = judge(row, books.find(row));
    const known = counted.get(subject);
    if (!known || (outcome === 'matched' && known.outcome !== 'matched')) counted.set(subject, { row, outcome });
  }
  const compared: Compared[] = [];
  for await (const row of eachInTurn(rows)) {
    if (row.kind) {
      compared.push({ outcome: row.kind, row, intent: books.find(row) });
      continue;
    }
    const one = counted.get(subjectOf(row))!;
    compared.push({ outcome: one.row === row ? one.outcome : 'duplicate', row, intent: books.find(row) });
  }
  if (!isWhole) return compared;
  for await (const intent of eachInTurn(books.all())) {
    if (intent.received && intent.within && !counted.has(intent.name))
      compared.push({ outcome: 'missing_there', row: null, intent });
  }
  return compared;
}

function judge({ amount, currency }: Pick<StatementRow, 'amount' | 'currency'>, intent: Recorded | null): MatchOutcome {
  if (!intent?.received) return 'missing_here';
  return intent.amount.equals(amount) && (currency ?? intent.currency) === intent.currency
    ? 'matched'
    : 'amount_differs';
}
