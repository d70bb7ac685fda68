import { sql } from '../../platform/database/sql.ts';
import { loadByOwner } from '../../platform/reading/batch.ts';
import type { Decimal } from '../../kernel/money.ts';

/** Result of a statement for the payments of one agency, in one currency. */
export interface AgencyStatement {
  readonly mda: string;
  readonly provider: string;
  readonly from: Date;
  readonly to: Date;
  readonly currency: string;
  readonly matched: number;
  readonly missingThere: number;
  readonly amountDiffers: number;
  readonly settled: Decimal;
  readonly createdAt: Date;
}

/** The last statement of each provider, within the last 31 days, as far as it is about payments of some agencies. */
export const readStatementsOf = loadByOwner<AgencyStatement>(
  ({ mda }) => mda,
  ({ db, now }, mdas) =>
    db.rows(sql`
      select s.mda, r.provider, r.from_at as "from", r.to_at as "to", i.recorded_currency as currency,
        count(*) filter (where i.outcome = 'matched')::int as matched,
        count(*) filter (where i.outcome = 'missing_there')::int as "missingThere",
        count(*) filter (where i.outcome = 'amount_differs')::int as "amountDiffers",
        coalesce(sum(s.amount) filter (where i.outcome = 'matched'), 0) as settled, r.created_at as "createdAt"
      from (
        select distinct on (provider) * from reconciliation_run
        where created_at > ${now()}::timestamptz - interval '31 days' order by provider, created_at desc, name desc
      ) r join reconciliation_item i on i.run = r.name and i.recorded_currency is not null and i.refund is null
      join split_rule s on s.intent = i.intent and s.mda = any(${mdas})
      group by s.mda, r.name, r.provider, r.from_at, r.to_at, r.created_at, i.recorded_currency
      order by r.created_at desc, r.provider, currency`),
);
