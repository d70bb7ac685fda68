import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { findFirstDay } from '../figures/span.ts';
import { divide } from './quotient.ts';
import { type RevenueFilter, groupRevenue } from './revenue.ts';

/** How much of net revenue in a currency the largest services and agencies bring. */
export interface Concentration {
  readonly currency: string;
  readonly net: Decimal;
  readonly services: number;
  readonly topServicesNet: Decimal;
  readonly topServicesShare: number | null;
  readonly agencies: number;
  readonly topAgenciesNet: Decimal;
  readonly topAgenciesShare: number | null;
}

/** The share of the largest services and agencies in what all of them bring. What belongs to no service counts as one. */
export async function readConcentration(
  call: Call,
  { top, ...filter }: RevenueFilter & { readonly top: number },
): Promise<Concentration[]> {
  const fromDate = await findFirstDay(call, filter);
  const groups = groupRevenue(['mda', 'service', 'currency'], { ...filter, fromDate });
  const ranked = (name: 'service' | 'mda') => sql`
    select currency, count(*)::int as members, coalesce(sum(net) filter (where place <= ${top}), 0) as net from (
      select *, row_number() over (partition by currency order by net desc, name) as place from (
        select currency, ${name === 'service' ? sql`service` : sql`mda`} as name, sum(collected - reversed) as net
        from revenue group by 1, 2
      ) each
    ) r group by currency`;
  return call.analytics.rows<Concentration>(sql`
    with revenue as materialized (${groups}), whole as (
      select currency, sum(collected - reversed) as net from revenue group by currency
    )
    select w.currency, w.net, s.members as services, s.net as "topServicesNet", ${divide(sql`s.net`, sql`w.net`)} as "topServicesShare",
      a.members as agencies, a.net as "topAgenciesNet", ${divide(sql`a.net`, sql`w.net`)} as "topAgenciesShare"
    from whole w join (${ranked('service')}) s using (currency) join (${ranked('mda')}) a using (currency)
    order by w.net desc, w.currency collate "C"`);
}
