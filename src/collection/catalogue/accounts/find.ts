import type { Call } from '../../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../../platform/reading/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

export type AccountChangeStatus = 'Pending' | 'Approved' | 'Refused';

/** A request to change the account that an agency's money goes to. */
export type AccountChange = Stored<'AccountChange'>;

const changeSelect = sql`select ${columnsOf('AccountChange')} from account_change r`;

/** Changes of accounts that were asked for, newest first. */
export function listAccountChanges(
  call: Call,
  filter: { readonly status?: AccountChangeStatus | null | undefined; readonly agency?: string | null | undefined },
  page: PageArgs,
): Promise<Page<AccountChange>> {
  const filters = [
    ifGiven(filter.status, (status) => sql`r.status = ${status}`),
    ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
  ];
  return readPage(call, { select: changeSelect, table: 'account_change', ...newestFirst, where: [], filters }, page);
}

/** Changes of accounts by docname. */
export const accountChangeLoader = loadByName<AccountChange>(({ db }, names) =>
  db.rows(sql`${changeSelect} where r.name = any(${names})`),
);

export async function getAccountChange({ db }: Call, name: string): Promise<AccountChange> {
  const row = await db.row<AccountChange>(sql`${changeSelect} where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', say`The account change does not exist`);
  return row;
}
