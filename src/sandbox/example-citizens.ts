import type { Docnames } from '../platform/database/docnames.ts';
import { type Database, json, sql } from '../platform/database/sql.ts';
import { stubIdentity } from '../adapters/identity/stub.ts';
import { foldForSearch } from '../kernel/text/matching.ts';

const COUNT = 20;

/** The NIN of one of the sandbox's examples: `CM000000000001` and so on, women's and men's in turn. */
export function exampleNinOf(number: number): string {
  return `C${number % 2 ? 'M' : 'F'}${String(number).padStart(12, '0')}`;
}

/** The NINs of all of the sandbox's examples. */
export function listExampleNins(): string[] {
  return Array.from({ length: COUNT }, (_, index) => exampleNinOf(index + 1));
}

/** Gives a new sandbox citizens to work with, since a standard key cannot register any. */
export async function seedExampleCitizens(db: Database, docnames: Docnames, now: Date): Promise<void> {
  const names = await docnames.take('citizen', COUNT, now);
  const rows = await Promise.all(
    names.map(async (name, index) => {
      const nin = exampleNinOf(index + 1);
      const phone = `+2567000${String(10_001 + index).slice(-5)}`;
      const { fullName } = (await stubIdentity.find(nin))!;
      return { name, nin, phone, full_name: fullName, search_text: foldForSearch(fullName, nin, phone) };
    }),
  );
  await db.rows(sql`
    insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
    select name, nin, full_name, phone, true, search_text, ${now}, ${now}
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (name text, nin text, full_name text, phone text,
      search_text text)
    -- Another process made it up.
    on conflict (nin) do nothing`);
}
