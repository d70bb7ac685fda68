import { refuseDependent } from '../../../platform/access/independence.ts';
import { requireWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { findOpenAnomaly } from '../../../collection/anomalies/find.ts';
import { noteResolution, resolveWith } from '../../../collection/anomalies/resolve.ts';
import { Refusal, refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';
import { accountsOf, firstToConfirm } from './bank.ts';
import { type AgencyDay, dayLoader, getDay } from './find.ts';

interface Confirmation {
  readonly agency: string;
  readonly day: Date;
  readonly note?: string | null | undefined;
}

/** Kinds of anomalies that somebody has to look into before the day is confirmed. */
const EXCEPTIONS = ['payout_missing', 'payout_short'];

/**
 * Confirms a day of an agency for good: the oldest that is open, once somebody looks into what is missing or short of it
 * and of the days before.
 */
export function confirmDay(call: Call, { agency, day: on, note: given }: Confirmation): Promise<AgencyDay> {
  const note = readText('note', given, LONGEST_REASON);
  requireWithin(call.viewer, agency);
  const name = `${agency}.${formatDay(on)}`;
  return retryUntilSettled(async () => {
    const day = await findClosed(call, name, agency, on);
    if (day.confirmedAt) throw new Refusal('validation_failed', say`${name} is already ${'confirmed'}`);
    const { isNext, exceptions, deciders } = await readObstacles(call, day);
    if (!isNext)
      throw refuseBecause(
        'day_before_unsigned',
        say`Days are confirmed one after another: an earlier one is open`,
        'day',
      );
    if (exceptions > 0)
      throw refuseBecause(
        'exceptions_open',
        say`${exceptions} anomalies of its payouts have no owner and no outcome`,
        'day',
      );
    if (call.config.mode === 'live') await refuseDependent(call, deciders, 'day');
    const at = call.now();
    const changed = guard`
      update agency_day r set confirmed_by = ${call.viewer.actor}, confirmed_at = ${at}, note = ${note}, updated_at = ${at}
      where r.name = ${name} and r.confirmed_at is null and ${isOldest} and (${countExceptions}) = 0 returning r.name`;
    const unsigned = await findOpenAnomaly(call, 'agency_unsigned', name);
    const operated = [
      {
        action: 'agency_day.confirm',
        subject: name,
        before: null,
        after: { confirmed_by: call.viewer.actor },
        reason: note,
      },
      ...(unsigned ? [noteResolution(unsigned, CONFIRMED)] : []),
    ];
    const steps = unsigned ? [resolveWith(call, changed, [unsigned], CONFIRMED)] : [];
    if (!(await commit(call, { subject: name, guard: changed, steps, operated }))) return undefined;
    return { ...day, confirmedBy: call.viewer.actor, confirmedAt: at, note, updatedAt: at };
  });
}

const CONFIRMED = 'The day was confirmed';

/** The day; refuses one that is not over as such. */
async function findClosed(call: Call, name: string, mda: string, on: Date): Promise<AgencyDay> {
  const day = await dayLoader.load(call, name);
  if (day) return day;
  const last = await call.db.row<{ day: Date }>(
    sql`select max(day) as day from agency_day where mda = ${mda} having max(day) < ${formatDay(on)}::date`,
  );
  if (last)
    throw refuseBecause('day_not_over', say`It is closed two hours after its end, once its payments are sealed`, 'day');
  return getDay(call, name);
}

/** True for the oldest day `r` of its agency that somebody is to confirm. */
export const isOldest: Sql = sql`not exists (
  select from agency_day b where b.mda = r.mda and b.day < r.day and b.day >= ${firstToConfirm(sql`r.mda`)} and b.confirmed_at is null)`;

/** The number of anomalies of payouts of the day `r` and before which nobody looks into. */
const countExceptions: Sql = sql`
  select count(*) from anomaly n where n.kind = any(${EXCEPTIONS}) and n.status = 'Open' and n.assignee is null and n.mdas @> array[r.mda]
    and (n.evidence ->> 'day')::date <= r.day`;

/** What keeps a day from being confirmed, and who said by hand what lines of the bank for it are. */
async function readObstacles(call: Call, { name, mda }: AgencyDay) {
  const row = await call.db.row<{ isNext: boolean; exceptions: number; deciders: string[] }>(sql`
    select ${isOldest} as "isNext", (${countExceptions}) as exceptions, array(
      select distinct l.decided_by from bank_line l where l.how = 'person' and l.account in ${accountsOf(mda)}
        and (l.booked_on = r.day or r.day between l.from_on and l.to_on)) as deciders
    from agency_day r where r.name = ${name}`);
  return row!;
}
