import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type ConsentDay, type ConsentFigures, type Period, countInSpan } from '../../figures/consents.ts';
import { type Span, closeSpan } from '../../figures/span.ts';

export type RegistrationSource = 'identity_authority' | 'by_hand';

/** How many people were registered in a period; null where they, or a difference of counts, would be few. */
export interface RegistrationFigures {
  readonly source: RegistrationSource;
  /** For which agency, where that is known. */
  readonly agency: string | null;
  readonly period: string;
  readonly people: number | null;
}

type Day = ConsentDay & Pick<RegistrationFigures, 'source' | 'agency'>;
type SpanOfPeriods = Span & { readonly period: Period };

/**
 * How many people were registered by source, agency and whole period. The identity authority answers with consent, which
 * names the agency that asked for it; who was entered by hand, nobody asked for anything. All days of the years that a
 * span touches are read: what is left out of a year follows from all of it.
 */
export async function readRegistrations(
  call: Call,
  { period, ...span }: SpanOfPeriods,
  { source = null, agency = null }: RegistrationFilter,
): Promise<RegistrationFigures[]> {
  const { from, to } = closeSpan(call, span);
  const days = await call.analytics.rows<Day>(sql`
    select source, mda as agency, strftime(date_trunc(${period}, day), '%Y-%m-%d') as day, sum(people)::int as people
    from registration
    where extract(year from day) between ${from.getUTCFullYear()} and ${to.getUTCFullYear()}
      and (${source}::text is null or source = ${source}) and (${agency}::text[] is null or mda = any(${agency}))
    group by 1, 2, 3 order by 1, 2 nulls first, 3`);
  return [...Map.groupBy(days, (row) => `${row.source} ${row.agency ?? ''}`).values()].flatMap((rows) =>
    countInSpan(period, { from, to }, rows).map((counted) => ({
      source: rows[0]!.source,
      agency: rows[0]!.agency,
      period: counted.period,
      people: counted.count,
    })),
  );
}

export interface RegistrationFilter {
  readonly source?: RegistrationSource | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
}

/** How many people consented, by agency and whole period: each counts once for an agency, with the first consent. */
export async function readConsents(
  call: Call,
  { mda, ...span }: SpanOfPeriods & { readonly mda?: string | null | undefined },
): Promise<ConsentFigures[]> {
  const agency = mda == null ? null : [mda];
  const registered = await readRegistrations(call, span, { source: 'identity_authority', agency });
  return registered.map((row) => ({ mda: row.agency, period: row.period, count: row.people }));
}
