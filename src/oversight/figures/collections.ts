import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { countTold, monthWithin, ofStatus, secondsWithin, sumTold } from '../root/groups.ts';
import { FEWEST_PEOPLE } from './small-cells.ts';
import type { Span } from './span.ts';

/** What an agency was owed in a span, and what became of it; null where too few people owed it. */
export interface CollectionFigures {
  readonly mda: string;
  readonly currency: string;
  readonly assessments: number | null;
  readonly assessed: Decimal | null;
  readonly paid: Decimal | null;
  readonly outstanding: Decimal | null;
  readonly cancelled: Decimal | null;
  readonly secondsP50: number | null;
  readonly secondsP90: number | null;
  readonly secondsP99: number | null;
}

/**
 * What was assessed in the months of a span, by agency: paid, outstanding, cancelled, and how long it took to be paid,
 * which is told of the months in which enough people paid.
 */
export function readCollections(
  call: Call,
  {
    mda,
    currency,
    ...span
  }: Span & { mda?: readonly string[] | null | undefined; currency?: string | null | undefined },
): Promise<CollectionFigures[]> {
  const facts = sql`
    select mda, currency, month, person, status, amount, milliseconds, leads from assessed
    where ${monthWithin(call, span, sql`month`)}
      and (${mda ?? null}::text[] is null or mda = any(${mda ?? null}::text[]))
      and (${currency ?? null}::text is null or currency = ${currency ?? null})`;
  const [p50, p90, p99] = secondsWithin([0.5, 0.9, 0.99], sql`f.leads and f.timed`);
  const amountOf = (status: string) => ofStatus(status, sql`sum(f.amount)`);
  return call.analytics.rows<CollectionFigures>(sql`
    with facts as materialized (${facts}), statuses as (
      select mda, currency, month, status, count(distinct person) >= ${FEWEST_PEOPLE} as told from facts
      group by mda, currency, month, status
    ), months as (
      select mda, currency, month, count(distinct person) >= ${FEWEST_PEOPLE} as timed from facts
      where milliseconds is not null group by mda, currency, month
    )
    select f.mda, f.currency, ${countTold(sql`count(*) filter (where f.told and f.leads)`)} as assessments,
      ${sumTold('amount')} as assessed, ${amountOf('Paid')} as paid, ${amountOf('Assessed')} as outstanding,
      ${amountOf('Cancelled')} as cancelled, ${p50} as "secondsP50", ${p90} as "secondsP90",
      ${p99} as "secondsP99"
    from (
      select * from facts join statuses using (mda, currency, month, status) left join months using (mda, currency, month)
    ) f
    group by f.mda, f.currency order by f.mda, f.currency`);
}
