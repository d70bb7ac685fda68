/** Moments and days by the clock of a place, whose name is one of the tz database, such as `Africa/Kampala`. */

const formats = new Map<string, { readonly day: Intl.DateTimeFormat; readonly offset: Intl.DateTimeFormat }>();

/** Making a format takes longer than a thousand uses of it. */
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

/** The day that a moment is on. */
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

function offsetAt(time: number, timeZone: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatsOf(timeZone).offset.format(time)) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -offset : offset;
}
