import type { Call } from '../../../platform/call/call.ts';
import { commitEach, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import { findSigner, forgetSigner, holdKey, signPayload } from '../../../collection/receipts/keys.ts';
import { writeContents } from './contents.ts';
import { type AgencyDay, snapshotDay } from './find.ts';
import { findOver } from './over.ts';
import { readDays } from './takings.ts';
import { raiseUnsigned } from './unsigned.ts';

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
  for (let count; (count = await closeNext(call, mda)) > 0;) closed += count;
  return closed;
}

/** Closes the next days of an agency; how many: none where it is not over, or an event of it waits for its seal. */
function closeNext(call: Call, mda: string): Promise<number> {
  return retryUntilSettled(async () => {
    const { days, last } = await findOver(call, mda);
    const contents = days.length > 0 ? await readDays(call, days, last) : [];
    if (contents.length === 0) return 0;
    const signer = await findSigner(call);
    const at = call.now();
    let previous = last && `${mda}.${last.day}`;
    const closed = contents.map((one): AgencyDay => {
      const name = `${mda}.${one.day}`;
      const signed = signPayload(signer, writeContents(one));
      const facts = { name, mda, day: new Date(one.day), previous, ...signed, head: one.head };
      previous = name;
      return { ...facts, note: null, confirmedBy: null, confirmedAt: null, createdAt: at, updatedAt: at };
    });
    const changed = guard`
      insert into agency_day (name, mda, day, previous, payload, signature, kid, head, created_at, updated_at)
      select d.name, d.mda, d.day::date, d.previous, d.payload, d.signature, d.kid, d.head, ${at}, ${at}
      from ${holdKey(signer)}, jsonb_to_recordset(${json(closed)}::jsonb) as d (name text, mda text, day timestamp, previous text,
        payload text, signature text, kid text, head text)
      -- Another process closed it.
      on conflict do nothing returning name`;
    const parts = closed.map((day) => ({ name: day.name, messages: [closedMessage(day)] }));
    const { size } = await commitEach(call, changed, parts);
    if (size > 0) return size;
    forgetSigner(call);
    return undefined;
  });
}

const closedMessage = (day: AgencyDay) => ({
  type: 'agency_day.closed' as const,
  object: day.name,
  sequence: 1,
  integrator: null,
  agency: day.mda,
  payload: snapshotDay(day),
});
