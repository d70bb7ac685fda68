import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { addDays } from '../../kernel/time.ts';
import type { Names } from './names.ts';

/** A public holiday of a country profile. */
export interface Holiday {
  readonly country: string;
  /** `YYYY-MM-DD`, or `MM-DD` of each year. */
  readonly day: string;
  readonly name: string;
  readonly names: Names;
}

/** The holidays of all country profiles, by country, in the order in which the profiles have them. */
export function listHolidays({ db }: Call): Promise<Holiday[]> {
  return db.rows<Holiday>(sql`
    select c.code as country, h.day, h.name, h.names
    from country c,
      rows from (jsonb_to_recordset(c.holidays) as (day text, name text, names jsonb)) with ordinality
        as h (day, name, names, place)
    order by c.code, h.place`);
}

/** Days of the week as profiles name them, in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** The days, as `YYYY-MM-DD`, on which banks of a country work, by its clock. */
export class WorkingDays {
  readonly timeZone: string;
  readonly #weekend: ReadonlySet<Weekday>;
  readonly #holidays: ReadonlySet<string>;

  constructor(timeZone: string, weekend: readonly Weekday[], holidays: readonly string[]) {
    this.timeZone = timeZone;
    this.#weekend = new Set(weekend);
    this.#holidays = new Set(holidays);
  }

  has(day: string): boolean {
    const isFree = this.#holidays.has(day) || this.#holidays.has(day.slice('YYYY-'.length));
    return !isFree && !this.#weekend.has(WEEKDAYS[new Date(day).getUTCDay()]!);
  }

  /** The working day that is so many after a day; after none, the day itself or else the next one. */
  after(day: string, count: number): string {
    let [at, left] = [day, count];
    // A profile may call each day of a year a holiday.
    for (let free = 0; free < MOST_FREE && (left > 0 || !this.has(at)); free++) {
      at = addDays(at, 1);
      if (!this.has(at)) continue;
      free = 0;
      left--;
    }
    return at;
  }
}

/** The most days in a row that nobody works on. */
const MOST_FREE = 366;

/** The working days of agencies, by their code: those of their country. */
export async function readWorkingDays({ db }: Pick<Call, 'db'>): Promise<(mda: string) => WorkingDays> {
  const rows = await db.rows<{ timeZone: string; weekend: Weekday[]; holidays: string[]; mdas: string[] }>(sql`
    select c.time_zone as "timeZone", c.weekend, array(select h ->> 'day' from jsonb_array_elements(c.holidays) h) as holidays,
      array(select m.name from mda m where m.country = c.code) as mdas
    from country c`);
  const of = new Map(
    rows.flatMap(({ timeZone, weekend, holidays, mdas }) => {
      const days = new WorkingDays(timeZone, weekend, holidays);
      return mdas.map((mda) => [mda, days] as const);
    }),
  );
  const usual = new WorkingDays('UTC', ['saturday', 'sunday'], []);
  return (mda) => of.get(mda) ?? usual;
}
