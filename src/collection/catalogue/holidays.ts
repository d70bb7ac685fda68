import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
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
