import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import { findSigner, forgetSigner, holdKey, signPayload } from '../../../collection/receipts/keys.ts';
import { momentIn } from '../../../kernel/time.ts';
import { type OverDay, readContents, writeContents } from './contents.ts';
import { type AgencyDay, snapshotDay } from './find.ts';
import { readDay } from './takings.ts';
import { raiseUnsigned } from './unsigned.ts';

/** Time after its end at which a day is closed, by the clock of its agency. */
const REST = '2 hours';

/**
 * Closes the days of agencies that are over, one after another from the day of the first event on, and raises those that
 * nobody confirms; how many. Two processes at it close no day twice.
 */
export async function closeDays(call: Call): Promise<number> {
  const agencies = await call.db.rows<{ mda: string }>(sql`select name as mda from mda order by name`);
  let closed = 0;
  for (const { mda } of agencies) closed += await closeDaysOf(call, mda);
  return closed + (await raiseUnsigned(call));
}

/** Closes the days of one agency; how many. */
export async function closeDaysOf(call: Call, mda: string): Promise<number> {
  let closed = 0;
  while (await closeNext(call, mda)) closed += 1;
  return closed;
}

/** Closes the next day of an agency; false where it is not over, or an event of it waits for its seal. */
function closeNext(call: Call, mda: string): Promise<boolean> {
  return retryUntilSettled(async () => {
    const over = await findOver(call, mda);
    const contents = over && (await readDay(call, over));
    if (!contents) return false;
    const signer = await findSigner(call);
    const at = call.now();
    const { day, head } = contents;
    const closed: AgencyDay = {
      name: `${mda}.${day}`,
      mda,
      day: new Date(day),
      previous: over.before && `${mda}.${over.before.day}`,
      ...signPayload(signer, writeContents(contents)),
      head,
      note: null,
      confirmedBy: null,
      confirmedAt: null,
      createdAt: at,
      updatedAt: at,
    };
    const changed = guard`
      insert into agency_day (name, mda, day, previous, payload, signature, kid, head, created_at, updated_at)
      select d.name, d.mda, ${day}::date, d.previous, d.payload, d.signature, d.kid, d.head, ${at}, ${at}
      from ${holdKey(signer)}, jsonb_to_record(${json(closed)}::jsonb) as d (name text, mda text, previous text, payload text,
        signature text, kid text, head text)
      -- Another process closed it.
      on conflict do nothing returning name`;
    const message = {
      type: 'agency_day.closed',
      object: closed.name,
      sequence: 1,
      integrator: null,
      agency: mda,
      payload: snapshotDay(closed),
    };
    if (await commit(call, { subject: closed.name, guard: changed, messages: [message] })) return true;
    forgetSigner(call);
    return undefined;
  });
}

/** The day after the last that was closed, or that of the first event, if it is over. */
async function findOver({ db, now }: Call, mda: string): Promise<OverDay | null> {
  const row = await db.row<{ day: string; zone: string; next: string; payload: string | null }>(sql`
    select d.day::text as day, (d.day + 1)::text as next, z.time_zone as zone, l.payload
    from agency_calendar z
    left join lateral (select day, payload from agency_day where mda = z.mda order by day desc limit 1) l on true
    cross join lateral (
      select coalesce(l.day + 1,
        (select (min(e.occurred_at) at time zone z.time_zone)::date from payment_event e where e.mda = z.mda)) as day) d
    where z.mda = ${mda} and ((d.day + 1)::timestamp + ${REST}::interval) at time zone z.time_zone <= ${now()}`);
  if (!row) return null;
  const { day, next, zone, payload } = row;
  const before = payload === null ? null : readContents(payload);
  // Each moment is in one day, also where the agency's clock was set to another time zone.
  const from = before?.to ?? momentIn(`${day}T00:00:00`, zone).toISOString();
  return { mda, day, from, to: momentIn(`${next}T00:00:00`, zone).toISOString(), before };
}
