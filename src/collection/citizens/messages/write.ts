import type { Language } from '../../../graphql/input/languages.ts';
import type { PayerMessageKind } from '../../../generated/prisma/enums.ts';
import { type Decimal, minorDigitsOf } from '../../../kernel/money.ts';
import { WORDS } from './words.ts';

/** Subject of a message. */
export interface About {
  readonly kind: PayerMessageKind;
  readonly language: Language;
  /** The number of a payment reference, or the docname of a receipt, of money that paid nothing or of an assessment. */
  readonly subject: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** Amount that was owed. */
  readonly owed: Decimal;
  readonly owedCurrency: string;
  /** The codes of agencies, the one with the largest share first. */
  readonly agencies: readonly string[];
  /** Until when a reference can be paid, by the clock of the agency; or the due day of an assessment. */
  readonly until: string | null;
  /** Code to type for a receipt whose QR code nothing reads. */
  readonly code: string | null;
}

/** Codes that are named; the others are counted, so that a text stays short. */
const NAMED = 3;

/** Text for the payer, of a sentence or two. It names nobody. */
export function writeMessage({ kind, language, subject, agencies, until, ...sums }: About): string {
  const filled: Readonly<Record<string, string>> = {
    amount: writeAmount(sums.amount, sums.currency, language),
    owed: writeAmount(sums.owed, sums.owedCurrency, language),
    agencies: agencies.length > NAMED ? `${agencies[0]} +${agencies.length - 1}` : agencies.join(', '),
    number: subject,
    receipt: subject,
    until: until ?? '',
  };
  const words = WORDS[language];
  const form = kind === 'demand' && until === null ? words.demandUndated : words[kind];
  return form.replaceAll(/\{(\w+)\}/g, (_place, name: string) => filled[name]!);
}

/** Address at which a valid receipt can be checked: its query is in the fragment, which no server sees. */
export function linkOf(origin: string, { kind, subject, code }: About): string | null {
  return kind === 'paid' ? `${origin}/verify#${subject}.${code}` : null;
}

function writeAmount(amount: Decimal, currency: string, language: Language): string {
  const [whole, cents] = amount.toFixed(amount.isInteger() ? 0 : minorDigitsOf(currency)).split('.');
  const grouped = whole!.replaceAll(/\B(?=(\d{3})+$)/g, language === 'fr' ? ' ' : ',');
  return `${currency} ${cents === undefined ? grouped : `${grouped}${language === 'fr' ? ',' : '.'}${cents}`}`;
}

/** The letters that texts of 160 characters may have, as far as words of this rail use them (GSM 03.38). */
const GSM = /[A-Za-z0-9 @£$¥èéùìòØøÅåÄÖÑÜäöñüà!"#%&'()*+,\-./:;<=>?_§¿¡]/;

/** Text with the letters that a phone gets 160 of: any other letter makes it 70. */
export function toGsm(text: string): string {
  return Array.from(text, (letter) => (GSM.test(letter) ? letter : plain(letter))).join('');
}

function plain(letter: string): string {
  if (letter === '’') return "'";
  const [base = '?'] = letter.normalize('NFD');
  return GSM.test(base) ? base : '?';
}
