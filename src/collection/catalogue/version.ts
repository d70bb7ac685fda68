import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/**
 * The version of the catalogue: another one after every change of an agency or a service, made in any way,
 * and once a fee begins to hold that was set for a coming day.
 */
export async function readCatalogueVersion({ db, now }: Pick<Call, 'db' | 'now'>): Promise<string> {
  const row = await db.row<{ version: string; begun: Date | null }>(sql`
    select version::text, (select max(next_fee_from) from service where next_fee_from <= ${now()}) as begun
    from catalogue_version`);
  const { version, begun } = row!;
  return begun ? `${version} ${begun.toISOString()}` : version;
}
