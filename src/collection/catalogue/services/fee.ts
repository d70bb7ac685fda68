import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import { type Decimal, fitsJson, requireExact } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { formatDay } from '../../../kernel/time.ts';
import { say } from '../../../kernel/text/said.ts';
import { MOST_FEE, type Tariff, feeOf, requireTariff } from '../tariff/tariff.ts';

/** Refuses what is no fee in a currency. */
export function requireFee(amount: Decimal, currency: string): Decimal {
  if (!fitsJson(amount) || amount.greaterThan(MOST_FEE))
    throw refuseValue('feeAmount', say`must be at most ${MOST_FEE}`);
  return requireExact('feeAmount', amount, currency);
}

/** A charge as a caller asks for it: a fee for each piece, or a tariff in its place. */
export interface AskedCharge {
  readonly feeAmount?: Decimal | null | undefined;
  readonly tariff?: unknown;
}

/** A fee with its tariff; of a plain fee, null. */
export interface Charge {
  readonly feeAmount: Decimal;
  readonly tariff: Tariff | null;
}

/** The charge that is asked for, in a currency; null where none is. */
export function readCharge({ feeAmount, tariff }: AskedCharge, currency: string): Charge | null {
  if (tariff != null && feeAmount != null)
    throw refuseValue('tariff', say`stands instead of a feeAmount: leave one of them out`);
  if (feeAmount != null) return { feeAmount: requireFee(feeAmount, currency), tariff: null };
  if (tariff == null) return null;
  const read = requireTariff(tariff, currency);
  return { feeAmount: feeOf(read), tariff: read };
}

/** Refuses a plain fee for a service that has a tariff, which would be lost. */
export function refuseFeeBeside({ tariff }: { readonly tariff: unknown }, charge: Charge | null): void {
  if (charge && !charge.tariff && tariff != null)
    throw refuseBecause('has_tariff', 'The service has a tariff: set another tariff instead', 'feeAmount');
}

/** By which part a fee may change without a second look. */
const SMALL_PART = 0.1;

/** True if a fee differs from the charged one by more than a tenth. */
export function isLargeChange(from: Decimal, to: Decimal): boolean {
  return to.minus(from).abs().greaterThan(from.times(SMALL_PART));
}

/** The moment at which a day begins in the country of an agency; refused unless the day is to come there. */
export async function requireComingDay({ db, now }: Call, mda: string, day: Date): Promise<Date> {
  const row = await db.row<{ begins: Date; coming: boolean }>(sql`
    select (${formatDay(day)}::date)::timestamp at time zone c.time_zone as begins,
      ${formatDay(day)}::date > (${now()}::timestamptz at time zone c.time_zone)::date as coming
    from agency_calendar c where c.mda = ${mda}`);
  const { begins, coming } = row!;
  if (!coming) throw refuseValue('effectiveFrom', say`must be a day to come, by the time of the agency's country`);
  return begins;
}

/** The step that adds a fee to the history of a service, from a moment on. */
export function recordFee(
  { viewer }: Call,
  changed: Step,
  fee: Charge & { readonly service: string; readonly currency: string; readonly since: Date },
): Step {
  const { service, feeAmount, tariff, currency, since } = fee;
  return step('fee')`
    insert into service_fee (service, fee_amount, tariff, currency, since, set_by)
    select ${service}, ${feeAmount}::numeric, ${tariff && json(tariff)}::jsonb, ${currency}, ${since}::timestamptz, ${viewer.actor} from ${changed}`;
}

/** The step that takes back what is set for a coming day. */
export function withdrawComingFee({ viewer, now }: Call, changed: Step, service: string): Step {
  const at = now();
  return step('withdrawn')`
    insert into withdrawn_fee (fee, at, withdrawn_by)
    select f.id, ${at}::timestamptz, ${viewer.actor} from ${changed}, service_fee f
    where f.service = ${service} and f.since > ${at} and not exists (select from withdrawn_fee w where w.fee = f.id)`;
}
