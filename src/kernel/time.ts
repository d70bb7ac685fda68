export const DAY_MS = 86_400_000;
export const HOUR_MS = DAY_MS / 24;

/** The beginning of a moment's UTC day. */
export function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** A UTC day as SQL and answers have it. */
export function formatDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The day so many days after one, both as `YYYY-MM-DD`; before it where that is below zero. */
export function addDays(day: string, count: number): string {
  return formatDay(new Date(Date.parse(day) + count * DAY_MS));
}

/** A day of a month (UTC), or the last of a shorter month. Months count from 0, and on into the next years. */
export function dayOfMonth(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month, Math.min(day, new Date(Date.UTC(year, month + 1, 0)).getUTCDate())));
}

/** Length of the time of a day in `toISOString`: `10:00:00.000Z`. */
const TIME_CHARACTERS = 13;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const ZERO = '0'.charCodeAt(0);
/** Value of the codes of two zeros, read as digits. */
const ZEROS = ZERO * 11;

/** The day that a moment was formatted of last, and its text: those of a list are of few days. */
let lastDay = { number: Number.NaN, text: '' };

/** A moment in UTC as `toISOString` writes it, for a fraction of what that takes: lists have hundreds. */
export function formatMoment(at: Date): string {
  const time = at.getTime();
  const number = Math.floor(time / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: at.toISOString().slice(0, -TIME_CHARACTERS) };
  const inDay = time - number * DAY_MS;
  const seconds = Math.floor(inDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const milliseconds = inDay - seconds * 1_000;
  const hours = Math.floor(minutes / 60);
  const zeros = milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : '';
  return `${lastDay.text}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}.${zeros}${milliseconds}Z`;
}

/** The day of the moment that was read last, by its text: those of a list are of few days. */
let lastRead = { text: '-', at: Number.NaN };

/** The milliseconds since 1970 of a moment as `formatMoment` writes it, for a fraction of what a `Date` of it takes. */
export function readMoment(moment: string): number {
  const dayEnd = moment.length - TIME_CHARACTERS;
  if (!moment.startsWith(lastRead.text) || lastRead.text.length !== dayEnd) {
    const text = moment.slice(0, dayEnd);
    lastRead = { text, at: Date.parse(`${text}00:00:00.000Z`) };
  }
  const numberAt = (place: number) =>
    moment.charCodeAt(dayEnd + place) * 10 + moment.charCodeAt(dayEnd + place + 1) - ZEROS;
  const hundreds = moment.charCodeAt(dayEnd + 9) - ZERO;
  const seconds = numberAt(0) * 3_600 + numberAt(3) * 60 + numberAt(6);
  return lastRead.at + seconds * 1_000 + hundreds * 100 + numberAt(10);
}

/** The days that the rail knows: beyond them neither PostgreSQL, nor RFC 3339, nor the arithmetic on spans is safe. */
const FIRST = Date.parse('1970-01-01T00:00:00.000Z');
const LAST = Date.parse('9998-12-31T23:59:59.999Z');

export const REACH = 'between 1970-01-01 and 9998-12-31';

/** True if a moment lies within the days that the rail knows. */
export function isWithinReach(at: Date): boolean {
  return at.getTime() >= FIRST && at.getTime() <= LAST;
}

/** A UTC day that was given where a moment could be: its beginning; as an end, the whole of it. */
export class Day extends Date {}

/** An end as a moment: that of a day is the beginning of the next. */
export function momentOf(end: Date): Date {
  return end instanceof Day ? new Date(end.getTime() + DAY_MS) : end;
}

/** Comparison of a column with an end: it includes a moment, and the whole of a day. */
export function compareToEnd(end: Date): { readonly operator: '<' | '<='; readonly moment: Date } {
  return { operator: end instanceof Day ? '<' : '<=', moment: momentOf(end) };
}

/** True if a name is a time zone of the tz database, such as `Africa/Kampala`. */
export function isTimeZone(name: string): boolean {
  // Offsets are none: PostgreSQL counts them the other way round.
  if (!/^[A-Z]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Formats by the name of a time zone: making one takes longer than a thousand uses of it. */
const formats = new Map<string, { readonly day: Intl.DateTimeFormat; readonly offset: Intl.DateTimeFormat }>();

function formatsOf(timeZone: string) {
  let made = formats.get(timeZone);
  if (!made) {
    made = {
      // As ISO 8601 has it, in which days are the same in order as in text.
      day: new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }),
      offset: new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset', timeZone }),
    };
    formats.set(timeZone, made);
  }
  return made;
}

/** The day that a moment is on, by the clock of a time zone. */
export function dayIn(at: Date, timeZone: string): string {
  return formatsOf(timeZone).day.format(at);
}

/** The moment at which a clock shows a time, such as `2026-11-05T10:00:00`; an invalid date where that is none. */
export function momentIn(local: string, timeZone: string): Date {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return new Date(Number.NaN);
  // The offset of about that time, and then of the time itself: it changes twice a year.
  const nearby = shown - offsetAt(shown, timeZone);
  return new Date(shown - offsetAt(nearby, timeZone));
}

/** By how much the clock of a time zone is ahead of UTC at a moment, in milliseconds. */
export function offsetAt(time: number, timeZone: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatsOf(timeZone).offset.format(time)) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -offset : offset;
}
