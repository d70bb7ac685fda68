import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';

/** Names in other languages than English, by their codes. */
export type Names = Readonly<Partial<Record<string, string>>>;

/** The names of a record in other languages: JSON, as Prisma has it. */
export const namesOf = ({ names }: { readonly names: unknown }): Names => names as Names;

/** Name of a record in a language; in English if its country profile has none. */
export function nameIn(
  language: string | null | undefined,
  english: string,
  record: { readonly names: unknown },
): string {
  return (language && namesOf(record)[language]) || english;
}

/** Search text of a service: its name in each language, and its code. */
export function searchTextOf(serviceName: string, code: string, names: Names): string {
  return foldForSearch(serviceName, code, ...Object.values(names));
}

/** A sector or family of services that a country profile names in other languages. */
export interface Term {
  readonly kind: 'sector' | 'family';
  readonly code: string;
  readonly names: Names;
}

/** Sectors and families with names; of one that several countries name, those of the first by code. */
export function listTerms({ db }: Call): Promise<Term[]> {
  return db.rows<Term>(sql`
    select distinct on (kind, t.key) kind, t.key as code, t.value as names
    from country c, lateral (values ('sector', c.sectors), ('family', c.families)) as of (kind, terms),
      jsonb_each(of.terms) as t
    order by kind, t.key, c.code`);
}
