import { requireWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadTogether } from '../../../platform/reading/batch.ts';
import { type Page, type PageArgs, pageOfAll } from '../../../platform/reading/page.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DAY_MS, addDays, dayIn, formatDay } from '../../../kernel/time.ts';
import { calendarLoader } from '../../catalogue/find.ts';
import { type Payout, type PayoutState, findPayouts, orderOf } from './find.ts';

/** The longest span of days that is listed. */
export const MOST_DAYS = 92;

/** Days that are listed where none are named. */
const USUAL_DAYS = 31;

export interface PayoutFilter {
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly provider?: string | null | undefined;
  readonly state?: PayoutState | null | undefined;
}

/** The payouts to an agency, by day, provider and currency; of the last 31 days where none are named. */
export async function listPayoutsOf(
  call: Call,
  mda: string,
  { fromDate, toDate, provider, state }: PayoutFilter,
  args: PageArgs,
): Promise<Page<Payout>> {
  requireWithin(call.viewer, mda);
  const { timeZone = 'UTC' } = (await calendarLoader.load(call, mda)) ?? {};
  const to = toDate ? formatDay(toDate) : dayIn(call.now(), timeZone);
  const from = fromDate ? formatDay(fromDate) : addDays(to, 1 - USUAL_DAYS);
  if (from > to) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  if (Date.parse(to) - Date.parse(from) >= MOST_DAYS * DAY_MS)
    throw refuseValue('toDate', say`must be less than ${MOST_DAYS} days after ${'fromDate'}`);
  const payouts = await findPayouts(call, { from, to, agencies: [mda] });
  const asked = payouts.filter(
    (one) => (provider ?? one.provider) === one.provider && (state ?? one.state) === one.state,
  );
  return pageOfAll(asked, orderOf, args);
}

/** The payout that the payment of an event is a part of; null where nobody pays it out, and of what went back. */
export async function loadPayoutOf(
  call: Call,
  { name, mda, currency, kind }: { name: string; mda: string; currency: string; kind: string },
): Promise<Payout | null> {
  if (kind !== 'payment') return null;
  const { day = '', provider = '' } =
    (await loadTogether(call, loadPayoutOf, name, (names) => readDays(call, names))) ?? {};
  const place = { mda, currency, day, provider };
  return loadTogether(call, findPayouts, orderOf(place), (asked) => readAsked(call, asked));
}

interface EventDay {
  readonly name: string;
  readonly day: string;
  readonly provider: string;
}

async function readDays({ db }: Call, names: readonly string[]): Promise<ReadonlyMap<string, EventDay>> {
  const rows = await db.rows<EventDay>(sql`
    select e.name, (e.occurred_at at time zone z.time_zone)::date::text as day, i.aggregator as provider
    from payment_event e join payment_intent i on i.name = e.intent join agency_calendar z on z.mda = e.mda
    where e.name = any(${names})`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Payouts by what names them, of all days from the first to the last. */
async function readAsked(call: Call, asked: readonly string[]): Promise<ReadonlyMap<string, Payout>> {
  const named = asked.map((name) => name.split(' '));
  const days = named.map(([day]) => day!).toSorted();
  const agencies = [...new Set(named.map(([, mda]) => mda!))];
  const payouts = await findPayouts(call, { from: days[0]!, to: days.at(-1)!, agencies });
  return new Map(payouts.map((payout) => [orderOf(payout), payout]));
}
