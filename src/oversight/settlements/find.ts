import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByName, loadTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { RowOutcome } from '../../collection/reconciliation/compare.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Span, checkSpan } from '../common/span.ts';

/** A provider's statement as it was compared with what was recorded then. */
export interface Settlement {
  readonly name: string;
  readonly provider: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly createdAt: Date;
  readonly rerunOf: string | null;
  readonly latest: boolean;
  readonly ignored: number;
}

/** Rows of a statement with one outcome, in one currency. */
export interface SettledOutcome {
  readonly outcome: RowOutcome;
  readonly currency: string | null;
  readonly count: number;
  readonly settled: Decimal | null;
  readonly recorded: Decimal | null;
}

export interface SettlementFilter extends Span {
  readonly provider?: readonly string[] | null | undefined;
  readonly latest?: boolean | null | undefined;
}

const settlementSelect = sql`
  select r.name, r.provider, r.from_at as "fromAt", r.to_at as "toAt", r.created_at as "createdAt",
    r.rerun_of as "rerunOf", r.latest, r.ignored
  from oversight.settlement r`;

/** Statements whose period touches a span, the last compared first. */
export function listSettlements(call: Call, filter: SettlementFilter, page: PageArgs): Promise<Page<Settlement>> {
  const { from, to } = checkSpan(filter);
  return readPage<Settlement>(
    call,
    {
      select: settlementSelect,
      table: 'oversight.settlement',
      order: ['created_at', 'name'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(filter.provider, (providers) => sql`r.provider = any(${providers})`),
        ifGiven(filter.latest, (latest) => sql`r.latest = ${latest}`),
        ifGiven(from, (day) => sql`r.to_at > ${day}`),
        ifGiven(to, (day) => sql`r.from_at < ${new Date(day.getTime() + DAY_MS)}`),
      ],
      db: call.oversight,
    },
    page,
  );
}

/** Statements by the docname of their run. */
export const settlementLoader = loadByName<Settlement>(({ oversight }, names) =>
  oversight.rows(sql`${settlementSelect} where r.name = any(${names})`),
);

/** Outcomes of the rows of a statement; of several, read at once. */
export async function readOutcomes(call: Call, run: string): Promise<readonly SettledOutcome[]> {
  const found = await loadTogether(call, readOutcomes, run, async (runs) => {
    const rows = await call.analytics.rows<SettledOutcome & { run: string }>(sql`
      select run, outcome, currency, count, settled, recorded from outcome where run = any(${runs}) and outcome is not null order by 1, 2, 3`);
    return Map.groupBy(rows, (row) => row.run);
  });
  return found ?? [];
}
