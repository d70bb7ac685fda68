import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { CountryProfile } from './loading/profile.ts';

/** Help for a country's payers, and places to pay by a number. */
export type PayerHelp = NonNullable<CountryProfile['help']>;

/** The help of the first of some countries whose profile has any. */
export async function findPayerHelp({ db }: Call, countries: readonly string[]): Promise<PayerHelp | null> {
  const row = await db.row<{ help: PayerHelp }>(
    sql`select help from country where code = any(${countries}) and help is not null order by code limit 1`,
  );
  return row && row.help;
}
