import { isTimeZone, momentIn, offsetAt } from '../../kernel/time.ts';

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** A moment as a field of a form has it by the clock of a place: `2026-11-22T10:30`. */
export function writeLocal(at: unknown, timeZone: string): string {
  const moment = Date.parse(String(at));
  return Number.isNaN(moment) ? '' : new Date(moment + offsetAt(moment, timeZone)).toISOString().slice(0, 16);
}

/** Name of a time zone's clock on pages: `Kampala (UTC+3)`. */
export function clockOf(timeZone: string, at: Date): string {
  const hours = offsetAt(at.getTime(), timeZone) / 3_600_000;
  const offset = hours === 0 ? 'UTC' : `UTC${hours < 0 ? '\u2212' : '+'}${Math.abs(hours)}`;
  return timeZone === 'UTC' ? timeZone : `${timeZone.split('/').at(-1)!.replaceAll('_', ' ')} (${offset})`;
}

/** The moment at which a day begins at a place, or its last one; any other text as it is. */
export function readDay(text: string, timeZone: unknown, isEnd: boolean): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || typeof timeZone !== 'string' || !isTimeZone(timeZone)) return text;
  const [time, part] = isEnd ? ['23:59:59', '.999Z'] : ['00:00:00', '.000Z'];
  return readLocal(`${text}T${time}`, timeZone).replace('.000Z', part);
}

/** The moment that such a text names at a place; any other text, or place, as it is. */
export function readLocal(text: string, timeZone: unknown): string {
  if (!LOCAL.test(text) || typeof timeZone !== 'string' || !isTimeZone(timeZone)) return text;
  const moment = momentIn(text, timeZone);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}
