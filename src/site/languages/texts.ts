import { createInstance } from 'i18next';
import { globSync, readFileSync } from 'node:fs';
import { minorDigitsOf } from '../../kernel/money.ts';
import { LANGUAGES, type Language, localeOf } from './language.ts';

const FOLDER = new URL('messages/', import.meta.url);

const messages = createInstance();
await messages.init({
  lng: 'en',
  resources: {},
  // A test holds that each language has every message; readers see no gap in a page.
  fallbackLng: 'en',
  // Seen at once, and found by a test, where a value has no message.
  parseMissingKeyHandler: (name) => `⟦${name}⟧`,
  // Templates escape all values.
  interpolation: { escapeValue: false },
});

// A file for each area that has texts of its own, in each language.
for (const language of Object.keys(LANGUAGES))
  for (const file of globSync(`${language}/*.json`, { cwd: FOLDER }))
    messages.addResourceBundle(language, 'translation', JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')), true);

/** Writing of pages in one language: messages, amounts, numbers, days and moments. */
export interface Texts {
  readonly language: Language;
  /** A message by its name, with what fills it in. */
  t(name: string, values?: Readonly<Record<string, unknown>>): string;
  /** True if there is a message of a name. */
  has(name: string): boolean;
  /** An amount with its currency, such as `UGX 25,000`. */
  money(amount: unknown, currency: string): string;
  /** The same without its currency, which the head of a table says. */
  amount(amount: unknown, currency: string): string;
  number(value: unknown): string;
  /** A change as a part of what was, such as `+12.5%`; beyond 300 %, as how often it is what was: `×75`. */
  change(value: unknown): string;
  /** Names after one another: `A, B and C`. */
  join(names: readonly string[]): string;
  /** A moment by the clock of a place. */
  moment(at: unknown, timeZone: string): string;
  /** The day of a moment by the clock of a place. */
  day(at: unknown, timeZone: string): string;
  /** A moment by the clock of a place, with its seconds. */
  exact(at: unknown, timeZone: string): string;
  /** A month, such as `2026-11`. */
  month(month: unknown): string;
  /** A day without a clock, such as `2026-11-22`. */
  date(day: unknown): string;
  /** A share, 0 to 1. */
  percent(share: unknown): string;
  /** Elapsed time in its largest unit: `2.5 hr`. */
  elapsed(seconds: unknown): string;
  /** The time of a moment by the clock of a place. */
  time(at: unknown, timeZone: string): string;
  /** Duration, such as `2 minutes`. */
  duration(seconds: number): string;
}

/** Name of a sector or a family of services. */
export interface Term {
  readonly kind: string;
  readonly code: string;
  readonly name: string;
}

/** The same, with what sectors and families are called: `sector.tax`. */
export function withTerms(texts: Texts, terms: readonly Term[]): Texts {
  const names = new Map(terms.map(({ kind, code, name }) => [`${kind}.${code}`, name]));
  return {
    ...texts,
    t: (name, values) => names.get(name) ?? texts.t(name, values),
    has: (name) => names.has(name) || texts.has(name),
  };
}

/** Units of time, each by its seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Percentages with one decimal, to match the one above or below: `90.0%` under `92.3%`. */
const PERCENT = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** Below zero with the sign that is as wide as a digit, and not with a hyphen. */
const minus = (written: string): string => written.replace('-', '\u2212');

/** Beyond so much, nobody reads a change as a part of what was. */
const MOST_PERCENT = 3;

const made = new Map<Language, Texts>();

export function textsOf(language: Language): Texts {
  const known = made.get(language) ?? makeTexts(language);
  made.set(language, known);
  return known;
}

/** Makes what depends on a value once for each: a format takes a hundred times as long to make as to use. */
export function keep<Value, Made>(make: (value: Value) => Made): (value: Value) => Made {
  const all = new Map<Value, Made>();
  return (value) => {
    const one = all.get(value) ?? make(value);
    all.set(value, one);
    return one;
  };
}

function makeTexts(language: Language): Texts {
  const t = messages.getFixedT(language);
  // Most messages have nothing to fill in.
  const plain = keep((name: string) => t(name, {}));
  const format = (options: Intl.DateTimeFormatOptions) => {
    const of = keep(
      (timeZone: string) => new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone, hourCycle: 'h23' }),
    );
    return (at: unknown, timeZone: string) => of(timeZone).format(new Date(String(at)));
  };
  const amount = keep(
    (digits: number) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const write = (value: unknown, currency: string) => minus(amount(minorDigitsOf(currency)).format(Number(value)));
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const knowsLists = Intl.ListFormat.supportedLocalesOf(language).length > 0;
  const number = new Intl.NumberFormat(language);
  const times = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const percent = new Intl.NumberFormat(language, PERCENT);
  const change = new Intl.NumberFormat(language, { ...PERCENT, signDisplay: 'exceptZero' });
  const month = new Intl.DateTimeFormat(localeOf(language), { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    language,
    t: (name, values) => (values ? t(name, { ...values }) : plain(name)),
    has: (name) => messages.exists(name, { lng: 'en' }),
    money: (value, currency) => `${currency}\u00a0${write(value, currency)}`,
    amount: write,
    number: (value) => minus(number.format(Number(value))),
    change: (value) =>
      Number(value) > MOST_PERCENT ? `×${times.format(1 + Number(value))}` : minus(change.format(Number(value))),
    join: (names) =>
      knowsLists || names.length < 2
        ? list.format(names)
        : `${names.slice(0, -1).join(', ')} ${t('list.and', {})} ${names.at(-1)}`,
    moment: format({ dateStyle: 'medium', timeStyle: 'short' }),
    day: format({ dateStyle: 'medium' }),
    exact: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    time: format({ timeStyle: 'short' }),
    duration: (seconds) => {
      const [unit, length] = UNITS.find(([, most]) => seconds >= most) ?? ['second', 1];
      const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
      return new Intl.NumberFormat(language, style).format(Math.ceil(seconds / length));
    },
    month: (day) => month.format(new Date(`${String(day)}-01T00:00:00Z`)),
    date: (day) => date.format(new Date(`${String(day)}T00:00:00Z`)),
    percent: (share) => percent.format(Number(share)),
    elapsed: (seconds) => {
      const [unit, length] = UNITS.find(([, least]) => Number(seconds) >= least) ?? ['second', 1];
      const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(language, style).format(Number(seconds) / length);
    },
  };
}
