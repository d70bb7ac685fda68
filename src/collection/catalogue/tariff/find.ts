import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadByOwner } from '../../../platform/reading/batch.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { formatDay } from '../../../kernel/time.ts';
import { type TariffSentence, describeFee, describeTariff } from './words.ts';
import type { Tariff } from './tariff.ts';

/** What a service charges, charged or will charge, and from when to when. */
export interface HeldTariff {
  readonly service: string;
  readonly feeAmount: Decimal;
  readonly currency: string;
  /** Null: the fee for each piece. */
  readonly tariff: Tariff | null;
  readonly from: Date;
  readonly to: Date | null;
  /** The day on which it begins to hold, `YYYY-MM-DD` by the clock of the agency. */
  readonly firstDay: string;
  /** Who set it or, where that takes two, approved it; null for one that was set before this was kept. */
  readonly setBy: string | null;
}

/** The most that are answered of a service's history. */
export const MOST_HELD = 100;

/** The tariffs and fees of a service, the latest first, one that is set for a coming day among them. */
export const listTariffsOf = loadByOwner<HeldTariff>(
  ({ service }) => service,
  ({ db }, services) =>
    db.rows(sql`
      select h.* from unnest(${[...services]}::text[]) as of (service), lateral (
        select f.service, f.fee_amount as "feeAmount", f.currency, f.tariff, f.since as "from", f.set_by as "setBy",
          lead(f.since) over (order by f.since, f.id) as "to", (f.since at time zone c.time_zone)::date::text as "firstDay"
        from service_fee f join service s on s.name = f.service join agency_calendar c on c.mda = s.mda
        where f.service = of.service and not exists (select from withdrawn_fee w where w.fee = f.id)
        order by f.since desc, f.id desc limit ${MOST_HELD}) h`),
);

/** What a service charges on a day of its agency, at the end of it; now where none is named. Null: nothing yet. */
export async function findTariff(call: Call, service: string, day?: Date | null): Promise<HeldTariff | null> {
  const now = call.now();
  const holds = ({ from, firstDay }: HeldTariff) => (day ? firstDay <= formatDay(day) : from <= now);
  return (await listTariffsOf(call, service)).find(holds) ?? null;
}

/** What is charged, in sentences. */
export function describeCharge({
  feeAmount,
  currency,
  tariff,
}: Pick<HeldTariff, 'feeAmount' | 'currency' | 'tariff'>): TariffSentence[] {
  if (tariff) return describeTariff(tariff, currency);
  return [{ category: null, said: describeFee(feeAmount.toNumber(), currency) }];
}
