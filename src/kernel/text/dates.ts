import { momentIn } from '../time.ts';

/** Meaning of the parts of a date format; other characters except letters stand for themselves. */
const PARTS: Readonly<Record<string, string>> = {
  yyyy: String.raw`(?<year>\d{4})`,
  yy: String.raw`(?<short>\d\d)`,
  MMM: String.raw`(?<name>[A-Za-z]{3})[A-Za-z]*\.?`,
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d\d?)`,
  dd: String.raw`(?<day>\d\d)`,
  d: String.raw`(?<day>\d\d?)`,
  HH: String.raw`(?<hour>\d\d)`,
  H: String.raw`(?<hour>\d\d?)`,
  hh: String.raw`(?<hour>\d\d)`,
  h: String.raw`(?<hour>\d\d?)`,
  mm: String.raw`(?<minute>\d\d)`,
  ss: String.raw`(?<second>\d\d)`,
  a: String.raw`(?<half>[AaPp])\.?[Mm]\.?`,
};
const LETTERS = /[A-Za-z]+/g;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Splits `yyyyMMddHHmm` into its parts: each is one letter, repeated. */
const partsOf = (letters: string) => letters.match(/(.)\1*/g) ?? [];

/** True if text is a date format, such as `dd/MM/yyyy HH:mm`: with a day, a month and a year, each part once. */
export function isDateFormat(format: string): boolean {
  const parts = (format.match(LETTERS) ?? []).flatMap(partsOf);
  const kinds = parts.map((part) => part[0]!);
  return (
    parts.every((part) => Object.hasOwn(PARTS, part)) &&
    new Set(kinds.map((kind) => kind.toLowerCase().replace('m', kind))).size === kinds.length &&
    ['d', 'M', 'y'].every((kind) => kinds.includes(kind))
  );
}

/** ISO 8601, with a blank for the `T` and without seconds too. */
const ISO =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?)? ?(?<offset>Z|[+-]\d\d:?\d\d)?$/i;

/**
 * A reader of dates by a format, or else by ISO 8601, and by the clock of a place where they name no offset. It answers
 * null to any other: what a date means that is written otherwise can only be guessed.
 */
export function makeDateReader(format: string | null, timeZone: string): (text: string) => Date | null {
  const pattern = format === null ? ISO : compile(format);
  return (text) => {
    const found = pattern.exec(text)?.groups;
    if (!found) return null;
    const { year, short, month, name, day, hour = '0', half, minute = '00', second = '00', offset } = found;
    const twelve = (Number(hour) % 12) + (/p/i.test(half ?? '') ? 12 : 0);
    const number = month ?? String(MONTHS.indexOf((name ?? '').toLowerCase()) + 1);
    const two = (part: string | number) => String(part).padStart(2, '0');
    const date = `${year ?? `20${short}`}-${two(number)}-${two(day!)}`;
    const local = `${date}T${two(half === undefined ? hour : twelve)}:${minute}:${second}`;
    const shown = new Date(`${local}Z`);
    // 30 February is none, though `Date` would take it for 2 March.
    if (Number.isNaN(shown.getTime()) || !shown.toISOString().startsWith(date)) return null;
    return offset === undefined ? momentIn(local, timeZone) : new Date(`${local}${offset}`);
  };
}

function compile(format: string): RegExp {
  const source = format.replaceAll(/[A-Za-z]+|\s+|./g, (text) => {
    if (/[A-Za-z]/.test(text))
      return partsOf(text)
        .map((part) => PARTS[part])
        .join('');
    return /\s/.test(text) ? String.raw`\s+` : `\\${text}`;
  });
  return new RegExp(`^${source}$`);
}
