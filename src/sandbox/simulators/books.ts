/** Course of one collection, and its faults. */
export interface Plan {
  readonly outcome: 'paid' | 'declined' | 'never';
  /** Time that the payer takes. */
  readonly settleMs: number;
  readonly callback: 'once' | 'lost' | 'twice' | 'late' | 'reordered' | 'tampered';
  /** Fate of the answer to the request that asks for the collection. */
  readonly answer: 'given' | 'cut' | 'error' | 'slow';
  /** Charged amount: the requested one, or another. */
  readonly amount: 'right' | 'wrong';
}

export const SMOOTH: Plan = { outcome: 'paid', settleMs: 50, callback: 'once', answer: 'given', amount: 'right' };

/** Delay of a late callback, and of a slow answer. */
export const LATE_MS = 1_500;
export const SLOW_MS = 400;

/** By the last three digits of the payer's number, for trying things by hand. */
const BY_ENDING: Readonly<Record<string, Partial<Plan>>> = {
  '100': { callback: 'lost' },
  '200': { callback: 'twice' },
  '300': { callback: 'late' },
  '400': { callback: 'tampered' },
  '500': { answer: 'cut' },
  '600': { amount: 'wrong' },
  '700': { outcome: 'declined' },
  '800': { outcome: 'never' },
  '900': { answer: 'slow' },
};

export function planByNumber({ payer }: { readonly payer: string | null }): Plan {
  return { ...SMOOTH, ...BY_ENDING[payer?.slice(-3) ?? ''] };
}

export interface ChargedShare {
  readonly account: string;
  readonly amount: number;
}

export interface Entry {
  /** Ours: the reference that the rail chose. */
  readonly reference: string;
  readonly intent: string;
  readonly amount: number;
  readonly currency: string;
  readonly payer: string | null;
  readonly shares: readonly ChargedShare[];
  readonly plan: Plan;
  readonly at: Date;
  /** Address for callbacks in the request; null if it is agreed on otherwise. */
  readonly callbackUrl: string | null;
  state: 'pending' | 'paid' | 'declined';
  /** Amounts taken from the payer, each time. */
  readonly charges: number[];
  txnId: string | null;
}

/** Course of one refund, and its fault. */
export interface RefundPlan {
  readonly outcome: 'paid' | 'declined' | 'pending' | 'refused';
  readonly answer: Plan['answer'];
}

/** Money that went back to a payer. */
export interface RefundEntry {
  /** The reference that it was asked for under. */
  readonly reference: string;
  readonly of: Entry;
  readonly amount: number;
  readonly at: Date;
  /** What the rail calls it, where it says so. */
  readonly name: string | null;
  state: Exclude<RefundPlan['outcome'], 'refused'>;
  readonly txnId: string;
}

/** An aggregator's true records: who was charged what, and which account got which part. */
export class ProviderBooks {
  readonly entries = new Map<string, Entry>();
  /** By reference. */
  readonly refunds = new Map<string, RefundEntry>();
  /** How the next refunds go. */
  refundPlan: RefundPlan = { outcome: 'paid', answer: 'given' };
  readonly #accounts = new Map<string, number>();
  #transactions = 0;

  enter(
    entry: Omit<Entry, 'state' | 'charges' | 'txnId' | 'at' | 'callbackUrl'> & Partial<Pick<Entry, 'callbackUrl'>>,
  ): Entry {
    const entered: Entry = { callbackUrl: null, ...entry, at: new Date(), state: 'pending', charges: [], txnId: null };
    this.entries.set(entry.reference, entered);
    return entered;
  }

  /** Takes the money and hands each share to its account, or notes that the payer would not pay. */
  settle(entry: Entry, prefix: string): void {
    if (entry.state !== 'pending' || entry.plan.outcome === 'never') return;
    entry.state = entry.plan.outcome === 'paid' ? 'paid' : 'declined';
    entry.txnId = `${prefix}${String(++this.#transactions).padStart(10, '0')}`;
    if (entry.state === 'declined') return;
    entry.charges.push(chargedAmountOf(entry));
    for (const { account, amount } of entry.shares)
      this.#accounts.set(account, (this.#accounts.get(account) ?? 0) + amount);
  }

  /** Gives money back to the payer of a collection; null where so much is not left of it. */
  refund(
    of: Entry,
    { reference, amount, name }: Pick<RefundEntry, 'reference' | 'amount' | 'name'>,
  ): RefundEntry | null {
    const paid = of.charges.reduce((total, charge) => total + charge, 0);
    const { outcome } = this.refundPlan;
    if (outcome === 'refused') return null;
    if (outcome !== 'declined' && amount > paid - this.refundedOf(of)) return null;
    const txnId = `R${String(++this.#transactions).padStart(9, '0')}`;
    const entered: RefundEntry = { reference, of, amount, name, at: new Date(), state: outcome, txnId };
    this.refunds.set(reference, entered);
    return entered;
  }

  /** The amount that went back of a collection, or is about to. */
  refundedOf(of: Entry): number {
    const back = [...this.refunds.values()].filter((refund) => refund.of === of && refund.state !== 'declined');
    return back.reduce((total, { amount }) => total + amount, 0);
  }

  byTransaction(txnId: string): Entry | undefined {
    return [...this.entries.values()].find((entry) => entry.txnId === txnId);
  }

  balance(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  byIntent(intent: string): Entry | undefined {
    return [...this.entries.values()].find((entry) => entry.intent === intent);
  }
}

/** Error of a statement against the truth. */
export interface Slip {
  readonly without?: readonly string[];
  readonly twice?: readonly string[];
  readonly amounts?: Readonly<Record<string, number>>;
}

/** A settlement statement: a header, and a line for each collection, in the columns of its provider. */
export function writeStatement(
  books: ProviderBooks,
  header: readonly string[],
  cells: (entry: Entry, amount: number) => readonly (string | number)[],
  slip: Slip = {},
): string {
  const lines = [...books.entries.values()].flatMap((entry) => {
    if (slip.without?.includes(entry.intent) || entry.state === 'pending') return [];
    const line = cells(entry, slip.amounts?.[entry.intent] ?? chargedAmountOf(entry)).join(',');
    return slip.twice?.includes(entry.intent) ? [line, line] : [line];
  });
  return [header.join(','), ...lines, ''].join('\n');
}

/** Amount that the payer is charged. */
export function chargedAmountOf({ amount, plan }: Entry): number {
  return plan.amount === 'wrong' ? amount + 1 : amount;
}

/** True if the shares of a request are its whole amount. */
export function areWhole(shares: readonly ChargedShare[], amount: number): boolean {
  return shares.length > 0 && Math.abs(shares.reduce((total, share) => total + share.amount, 0) - amount) < 1e-6;
}
