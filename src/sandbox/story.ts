import type { Rail } from '../platform/call/call.ts';
import { makeMonths } from '../platform/audit/months.ts';
import { sql } from '../platform/database/sql.ts';
import { DAY_MS } from '../kernel/time.ts';
import { analyzeHistory } from './history.ts';
import { bookAtBank } from './story/bank.ts';
import { type Cast, FIRST_CLERK, LAST_INTEGRATOR, makeCast } from './story/cast.ts';
import { isBusy, makePayments } from './story/day.ts';
import { settleOnStage } from './story/evening.ts';
import { deliverOnStage, holdMessages } from './story/messages.ts';
import { askToGoLive, probeAll, publishNotices, reconcileDay, setTargets } from './story/office.ts';
import { makePast } from './story/past.ts';
import { bookRequests } from './story/requests.ts';
import { Counters } from './story/shifts.ts';
import { Random, daysUpTo, earlier, hourOf } from './story/stage.ts';
import { leaveWaiting, makeTrouble, raiseTheRest, resolveOlder, workBadly } from './story/troubles.ts';

export interface StoryOptions {
  /** Days before today on which it begins; at least 2. */
  readonly days: number;
  /** Months before these days, made up in bulk; none by default. */
  readonly months?: number | undefined;
  /** Hears how far it is. */
  readonly report?: (progress: string) => void;
}

/** Days before today of an outage, if the story is as long as that. */
const OUTAGE_DAYS_AGO = 9;
const SEED = 20_261;

/** Content of a database: nothing, this story up to its end or not, or other people's records. */
export async function findStory({ db }: Pick<Rail, 'db'>): Promise<'none' | 'complete' | 'broken off' | 'others'> {
  const row = await db.row<{ begun: boolean; ended: boolean; used: boolean }>(sql`
    select exists (select from staff where email = ${FIRST_CLERK}) as begun,
      exists (select from live_request r join integrator i on i.code = r.integrator
        where i.organisation = ${LAST_INTEGRATOR}) as ended,
      exists (select from assessment) or exists (select from integrator where status <> 'PendingEmail') as used`);
  const { begun, ended, used } = row!;
  if (begun) return ended ? 'complete' : 'broken off';
  return used ? 'others' : 'none';
}

/**
 * Fills a sandbox with days of work as they could have been, up to this moment: by the rail's own verbs, called as of
 * then, so that traces, sums and seals are what they would be; and what no verb makes, such as the log of requests, in
 * their likeness. How many payments there were.
 */
export async function makeStory(
  rail: Rail,
  { days: count, months = 0, report = () => {} }: StoryOptions,
): Promise<number> {
  const now = rail.now();
  // What is written in bulk may take longer than a request.
  const bulk = { ...rail, ...rail.background };
  const random = new Random(SEED);
  const days = daysUpTo(now, count);
  const [first] = days;
  await makeMonths({ ...rail, now: () => first! })();
  const cast = await makeCast(rail, hourOf(first!, 7));
  await holdMessages(bulk.db, cast, now);
  await setTargets(rail, cast, hourOf(first!, 7.5));
  if (months > 0) await makePast(bulk, cast, { months, first: first!, report });
  const counters = new Counters(rail, cast, random, days);
  // Not yesterday: of a part that little is known of today, the status says how it fared then.
  const outage = days.slice(-OUTAGE_DAYS_AGO, -1).find(isBusy) ?? first!;
  let payments = 0;
  for (const [index, day] of days.entries()) {
    const shifts = await counters.open(day);
    await probeAll(rail, cast, hourOf(day, 10), day === outage);
    const made = await makePayments(rail, cast, random, {
      day,
      shifts,
      outage: day === outage ? 'airtel_money' : null,
    });
    if (index === count - 2) await makeTrouble(rail, cast, hourOf(day, 11));
    if (day === counters.lastDay) await workBadly(rail, cast, shifts[1]!, hourOf(day, 20.2));
    await counters.close(day);
    bookRequests(rail, cast, random, day, made);
    await settleOnStage(rail, earlier(hourOf(day, 26), now));
    const isLast = day === counters.lastDay;
    if (isLast || index % 7 === 6)
      await reconcileDay(rail, cast, { day, at: earlier(hourOf(day, 33), now), faults: isLast });
    payments += made;
    report(`${index + 1} of ${count} days, ${payments.toLocaleString('en')} payments`);
  }
  await raiseTheRest(rail, cast, { day: days.at(-1)!, at: earlier(hourOf(days.at(-1)!, 30), now) });
  payments += await makeToday(rail, cast, { now, random, counters });
  await leaveWaiting(rail, cast, new Date(now.getTime() - 1_200_000));
  await resolveOlder(rail, cast, days.at(-2)!, new Date(now.getTime() - 7_200_000));
  await publishNotices(rail, cast, outage, now);
  await askToGoLive(rail, cast, now);
  await bookAtBank(rail, cast, { first: first!, at: now });
  await settleOnStage(rail, now);
  await deliverOnStage(bulk.db, cast, now);
  await makeUpCallbacks(bulk.db);
  await Promise.all([rail.audit.flush(), rail.citizenAccess.flush()]);
  await analyzeHistory(bulk);
  return payments;
}

/** Makes the reports that providers would have sent about the payments that they collected. */
async function makeUpCallbacks(db: Rail['db']): Promise<void> {
  await db.rows(sql`
    insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
    select aggregator, 'evt-' || substr(md5(name), 1, 16), sha256(name::bytea), name, 'confirmed', confirmed_at
    from payment_intent where status = 'Confirmed' and channel <> 'cash'
    -- The story made up some of its own.
    on conflict do nothing`);
}

interface Today {
  readonly now: Date;
  readonly random: Random;
  readonly counters: Counters;
}

/** Makes today's events so far: shifts are open, and some payments wait. */
async function makeToday(rail: Rail, cast: Cast, { now, random, counters }: Today): Promise<number> {
  const day = new Date(now.getTime() - (now.getTime() % DAY_MS));
  const shifts = await counters.openAt(new Date(now.getTime() - 3 * 3_600_000));
  const payments = await makePayments(rail, cast, random, { day, shifts, outage: null, until: now });
  await settleOnStage(rail, now);
  bookRequests(rail, cast, random, day, payments);
  return payments;
}
