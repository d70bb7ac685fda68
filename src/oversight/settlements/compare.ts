import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { type Span, closeSpan } from '../figures/span.ts';

/** What a provider says that it settled in a span, beside what is recorded of it. */
export interface SettlementFigures {
  readonly provider: string;
  readonly currency: string | null;
  readonly statements: number;
  readonly settled: Decimal;
  readonly recorded: Decimal;
  readonly matched: number;
  readonly missingHere: number;
  readonly missingThere: number;
  readonly amountDiffers: number;
  readonly duplicate: number;
}

/** All collections of a span are looked at. */
export const MOST_DAYS = 366;

/**
 * What statements say that providers settled, of those whose period lies within a span, beside what was recorded as
 * collected by them in it. Of a statement that was compared several times, the last comparison counts.
 */
export async function compareSettlements(
  call: Call,
  { provider = null, ...span }: Span & { provider?: string | null | undefined },
): Promise<SettlementFigures[]> {
  const { from, to } = closeSpan(call, span);
  if ((to.getTime() - from.getTime()) / DAY_MS >= MOST_DAYS)
    throw refuseValue('toDate', `must be less than ${MOST_DAYS} days after fromDate`);
  const ofProvider = sql`(${provider}::text is null or provider = ${provider})`;
  const statements = await call.oversight.rows<{ name: string }>(sql`
    select name from oversight.settlement
    where latest and from_at >= ${from} and to_at <= ${new Date(to.getTime() + DAY_MS)} and ${ofProvider}`);
  const countOf = (outcome: string) => sql`coalesce(sum(count) filter (where outcome = ${outcome}), 0)::int`;
  return call.analytics.rows<SettlementFigures>(sql`
    with statement as (
      select provider, currency, count(distinct run)::int as statements,
        coalesce(sum(settled) filter (where outcome <> 'duplicate'), 0) as settled,
        ${countOf('matched')} as matched, ${countOf('missing_here')} as "missingHere",
        ${countOf('missing_there')} as "missingThere", ${countOf('amount_differs')} as "amountDiffers",
        ${countOf('duplicate')} as duplicate
      from outcome where run = any(${statements.map(({ name }) => name)}::text[]) group by provider, currency
    ), recorded as (
      select provider, currency, sum(amount) as recorded from payment
      where kind = 'payment' and day between ${formatDay(from)}::date and ${formatDay(to)}::date and ${ofProvider}
      group by provider, currency
    )
    select provider, currency, coalesce(statements, 0) as statements, coalesce(settled, 0) as settled,
      coalesce(recorded, 0) as recorded, coalesce(matched, 0) as matched, coalesce("missingHere", 0) as "missingHere",
      coalesce("missingThere", 0) as "missingThere", coalesce("amountDiffers", 0) as "amountDiffers",
      coalesce(duplicate, 0) as duplicate
    from statement full join recorded using (provider, currency)
    order by provider collate "C", currency`);
}
