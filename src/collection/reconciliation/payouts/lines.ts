import type { Decimal } from '../../../kernel/money.ts';

/** A line that nobody has explained. */
export interface UnknownLine {
  readonly name: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly valueOn: string;
  /** Its reference and text, in upper case. */
  readonly words: string;
}

/** What a line was found to be, and by what. */
export interface Explained {
  readonly kind: 'payout' | 'refund' | 'deposit';
  readonly provider: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly how: 'reference' | 'sum' | 'deposit';
}
