import { type Language } from '../../../graphql/input/languages.ts';
import { type Decimal, minorDigitsOf } from '../../../kernel/money.ts';
import type { Receipt } from '../find.ts';
import { type ReceiptContents, totalOf } from '../payload.ts';
import { WORDS, type Words } from './words.ts';

/** Printed content: the signed text, its state, and the address to check it. */
export interface Printed extends Pick<Receipt, 'status' | 'replacedBy' | 'copies' | 'code'> {
  readonly contents: ReceiptContents;
  /** The address that the QR code has. */
  readonly url: string;
  /** Record of each payment event. */
  readonly shares: ReadonlyMap<string, Share>;
  /** Amount of the payment that was not refunded. */
  readonly left: Decimal;
  readonly language: Language;
}

export interface Share {
  /** The name of the agency. */
  readonly agency: string;
  /** Its number in the agency's chain of seals; null until it is sealed. */
  readonly sequence: number | null;
}

/** A line with what it is about, and what is said of it. */
export type Row = readonly [label: string, value: string];

/** Content of a printed page, in its order; each form has its own look. */
export interface Sheet {
  readonly language: Language;
  readonly title: string;
  /** The name of what it is, and the moment of that. */
  readonly name: string;
  readonly at: Date;
  /** Notices to read first. */
  readonly notices: readonly string[];
  readonly facts: readonly Row[];
  readonly services: readonly string[];
  readonly shares: readonly { readonly row: Row; readonly proof: string }[];
  readonly total: Row;
  /** The way to check it; null of what is not signed. */
  readonly check: { readonly code: Row; readonly said: string; readonly url: string } | null;
}

export function writeSheet({
  contents,
  status,
  replacedBy,
  copies,
  code,
  url,
  shares,
  left,
  language,
}: Printed): Sheet {
  const words = WORDS[language];
  const { kind, currency, services, otherServices, otherAgencies } = contents;
  const money = (amount: Decimal) => writeMoney(amount, currency, language);
  const others = (count: number) => fill(words.others, { count });
  const total = totalOf(contents);
  return {
    language,
    title: words.title,
    name: contents.name,
    at: contents.paidAt,
    notices: [
      ...(replacedBy === null
        ? status === 'Void'
          ? [words.void]
          : []
        : [fill(words.replaced, { number: replacedBy })]),
      ...(status === 'Issued' && left.lessThan(total) ? [fill(words.partly, { left: money(left) })] : []),
      ...(copies > 1 ? [fill(words.copy, { copy: copies })] : []),
      ...(kind === 'payment' ? [] : [words[kind]]),
    ],
    facts: [
      [words.number, contents.name],
      [words.paidAt, writeMoment(contents, language)],
      [words.assessment, contents.assessment],
      [words.channel, channelIn(words, contents.channel)],
      [words.payer, contents.payerInitials],
    ],
    services: [...services, ...(otherServices > 0 ? [others(otherServices)] : [])],
    shares: [
      ...contents.agencies.map(({ mda, amount, event }) => {
        const { agency, sequence } = shares.get(event) ?? { agency: mda, sequence: null };
        const proof = sequence === null ? event : `${event}, ${fill(words.sealed, { sequence })}`;
        return { row: [agency, money(amount)] as const, proof };
      }),
      ...(otherAgencies
        ? [{ row: [others(otherAgencies.count), money(otherAgencies.amount)] as const, proof: '' }]
        : []),
    ],
    total: [words.total, money(total)],
    check: { code: [words.code, code], said: fill(words.check, { address: url.slice(0, url.indexOf('#')) }), url },
  };
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(values[name]));
}

function channelIn(words: Words, channel: string): string {
  return Object.hasOwn(words, channel) ? words[channel as keyof Words] : channel;
}

const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language);

export function writeMoney(amount: Decimal, currency: string, language: Language): string {
  const digits = minorDigitsOf(currency);
  const format = new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return plain(`${currency} ${format.format(amount.toNumber())}`);
}

function writeMoment({ paidAt, utcOffset }: ReceiptContents, language: Language): string {
  const hours = utcOffset / 60;
  const zone = `UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
  const format = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
    hour12: false,
  });
  return plain(`${format.format(paidAt.getTime() + utcOffset * 60_000)} (${zone})`);
}

/** A day as `Date` has it, at its UTC midnight. */
export function writeDay(day: Date, language: Language): string {
  return plain(new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(day));
}

/** With blanks that every printer knows. */
function plain(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}
