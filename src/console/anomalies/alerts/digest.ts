import { isSnoozed } from '../../../collection/anomalies/find.ts';
import { clockOf, isMorning, localDay } from '../../../collection/catalogue/clock.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { postLetters } from '../../../platform/mail/send.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { ALERTED_OF_AGENCY } from './content.ts';
import { type StillOpen, writeDigest } from './letter.ts';

/** The clock of somebody, a row `u` of `staff`: that of their first agency. */
const THEIRS = clockOf(sql`u.agencies`);

/**
 * Mails supervisors and finance officers of agencies what is open there, once a day from the morning of their agency
 * on; how many letters. On a day that began with nothing open nobody gets one.
 */
export async function mailDigests(call: Call): Promise<number> {
  const due = await call.db.rows<{ email: string; agencies: readonly string[]; today: string }>(sql`
    select u.email, u.agencies, ${localDay(call, THEIRS)}::text as today
    from staff u left join anomaly_digest d on d.staff = u.email
    where u.active and u.agencies <> '{}' and u.roles && ${ALERTED_OF_AGENCY}::text[]
      and ${isMorning(call, THEIRS)} and (d.sent_on is null or d.sent_on < ${localDay(call, THEIRS)})
    order by u.email`);
  let sent = 0;
  for (const { email, agencies, today } of due) {
    const open = await listOpen(call, agencies);
    const letters = open.length === 0 ? [] : [{ staff: email, secret: JSON.stringify(writeDigest(open)) }];
    // The first process of a day counts.
    const changed = guard`
      insert into anomaly_digest (staff, sent_on) values (${email}, ${today}::date)
      on conflict (staff) do update set sent_on = excluded.sent_on where anomaly_digest.sent_on < excluded.sent_on
      returning staff`;
    const steps = postLetters(call, 'staff/anomalies', changed, letters, new Date(call.now().getTime() + DAY_MS));
    if ((await commit(call, { subject: null, guard: changed, steps })) && open.length > 0) sent += 1;
  }
  return sent;
}

/** Open anomalies of agencies, by agency, the most severe first. */
function listOpen(call: Call, agencies: readonly string[]): Promise<StillOpen[]> {
  return call.db.rows<StillOpen>(sql`
    select m.mda, a.severity, a.kind, count(*)::int as many, min(a.raised_at) as oldest
    from anomaly a cross join lateral unnest(a.mdas) as m (mda)
    where a.status = 'Open' and a.mdas && ${agencies}::text[] and m.mda = any(${agencies}) and not ${isSnoozed(call)}
    group by 1, 2, 3
    order by m.mda collate "C", array_position(array['high', 'medium', 'low'], a.severity), many desc, a.kind`);
}
