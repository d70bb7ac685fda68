import { Decimal } from '../../../kernel/money.ts';

/** Amounts of a day that were collected and reversed, each above zero, and how many payments and reversals that were. */
export interface Takings {
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly payments: number;
  readonly reversals: number;
}

/** A day in one currency: from its opening to its closing, which is the opening of the next. */
export interface DayInCurrency extends Takings {
  readonly currency: string;
  readonly opening: Decimal;
  readonly closing: Decimal;
  readonly channels: readonly (Takings & { readonly channel: string })[];
  /** By service: its docname and its code, which are null for what no line of an assessment explains. */
  readonly services: readonly (Takings & { readonly service: string | null; readonly code: string | null })[];
}

/** What a provider owes for the day, what the bank was found to have of it by its end, and what was due by then and is not there. */
export interface DayOfProvider {
  readonly provider: string;
  readonly currency: string;
  readonly expected: Decimal;
  /** Null without statements of the bank, and where another agency has the same account. */
  readonly arrived: Decimal | null;
  readonly missing: Decimal | null;
}

/** Lines of the bank that nothing explains at the end of the day. */
export interface UnknownLines {
  readonly currency: string;
  readonly lines: number;
  readonly credits: Decimal;
  readonly debits: Decimal;
}

/** Numbers of seals from the first to the last of them. */
export type SealRange = readonly [first: number, last: number];

/** A day of an agency, all of it in the signed text. */
export interface DayContents {
  readonly version: 1;
  readonly agency: string;
  /** `2026-11-28`, by the clock of the agency. */
  readonly day: string;
  /** Its first moment, and that of the next day. */
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly DayInCurrency[];
  /** The seals of its events, in order. They are numbered as they arrive, so that two days may interleave. */
  readonly seals: readonly SealRange[];
  /** The hash of the last of them; null of a day without. */
  readonly head: string | null;
  readonly payouts: readonly DayOfProvider[];
  readonly unknown: readonly UnknownLines[];
}

const AMOUNTS = new Set([
  'opening',
  'collected',
  'reversed',
  'closing',
  'expected',
  'arrived',
  'missing',
  'credits',
  'debits',
]);

/** The text that is signed: JSON without blanks, its members in the order in which they are read, amounts as text. */
export const writeContents = (contents: DayContents): string => JSON.stringify(contents);

/** The day in a signed text, which begins with `{` as no receipt does. */
export function readContents(payload: string): DayContents {
  return JSON.parse(payload, (name, value: unknown) =>
    AMOUNTS.has(name) && typeof value === 'string' ? new Decimal(value) : value,
  ) as DayContents;
}

/** A day of an agency that is over. */
export interface OverDay extends Pick<DayContents, 'day' | 'from' | 'to'> {
  readonly mda: string;
}

/** The number of seals in ranges. */
export function countSeals(seals: readonly SealRange[]): number {
  return seals.reduce((count, [first, last]) => count + last - first + 1, 0);
}
