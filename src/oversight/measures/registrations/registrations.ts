import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type ConsentDay, type Period, countInSpan, wholeYears } from '../../figures/consents.ts';
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

/**
 * How many people were registered by source, agency and whole period. The identity authority answers with consent, which
 * names the agency that asked for it; who was entered by hand, nobody asked for anything.
 */
export async function readRegistrations(
  call: Call,
  { period, ...span }: Span & { readonly period: Period },
  { source = null, agency = null }: RegistrationFilter,
): Promise<RegistrationFigures[]> {
  const closed = closeSpan(call, span);
  const { first, last } = wholeYears(closed);
  const days = await call.oversight.rows<Day>(sql`
    select source, mda as agency, to_char(day, 'YYYY-MM-DD') as day, people
    from oversight.registrations(${first}::date, ${last}::date, ${period})
    where (${source}::text is null or source = ${source}) and (${agency}::text[] is null or mda = any(${agency}))
    order by source, agency nulls first, day`);
  return [...Map.groupBy(days, (row) => `${row.source} ${row.agency ?? ''}`).values()].flatMap((rows) =>
    countInSpan(period, closed, rows).map((counted) => ({
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
