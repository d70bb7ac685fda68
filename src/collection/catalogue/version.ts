import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** The version of the catalogue: another one after every change of an agency or a service, in whatever way it was made. */
export async function readCatalogueVersion({ db }: Call): Promise<string> {
  const row = await db.row<{ version: string }>(sql`select version::text from catalogue_version`);
  return row!.version;
}
