import { json, sql } from '../../../platform/database/sql.ts';
import type { Check } from '../check.ts';
import type { KeptLogSeal } from '../heads.ts';

/** Names each day of a log whose rows are not those that were sealed, or whose seal is missing. */
export const LOG_CHECK: Check = [
  'sealed_log',
  sql`
    select s.log || ' ' || s.day as row, null as mda,
      case
        when s.day <> s.day_before + 1 then 'the seals of the days before are missing'
        when d.rows <> s.rows then 'has ' || d.rows || ' rows, and had ' || s.rows || ' when it was sealed'
        else 'has other rows than when it was sealed'
      end as why
    from (
      select *, lag(hash) over (partition by log order by day) as before,
        lag(day) over (partition by log order by day) as day_before
      from log_seal
    ) s cross join lateral digest_of_log(s.log, s.day) d
    where s.day <> s.day_before + 1 or s.rows <> d.rows or s.hash <> hash_of_log(s.before, s.log, s.day, d.rows, d.digest)`,
];

/** Names each seal of a log that was kept outside, and is another one in the rail. */
export function checkKeptLogSeals(kept: readonly KeptLogSeal[]): Check {
  return [
    'kept_log_seal',
    sql`
      select k.log || ' ' || k.day as row, null as mda,
        coalesce('was kept outside with another hash than ' || s.hash, 'was kept outside, and there is no such seal') as why
      from jsonb_to_recordset(${json(kept)}::jsonb) as k (log text, day date, hash text)
        left join log_seal s on s.log = k.log and s.day = k.day
      where s.hash is distinct from k.hash`,
  ];
}
