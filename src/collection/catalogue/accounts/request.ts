import type { Operated, Operator } from '../../../platform/change/operation.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import { countCharacters, requireText, LONGEST_REASON } from '../../../kernel/text/free-text.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { getAgency } from '../find.ts';
import { type AccountChange, getAccountChange } from './find.ts';
import { say } from '../../../kernel/text/said.ts';

/** Longest number of an account, in characters. */
export const LONGEST_ACCOUNT = 64;
const SHORTEST_ACCOUNT = 4;

/** Asks that an agency's money goes to another account. Nothing changes until somebody else approves. */
export async function requestAccountChange(
  call: Call,
  input: { readonly id: string; readonly collectionAccount: string; readonly reason: string },
): Promise<AccountChange> {
  const account = requireText('collectionAccount', input.collectionAccount, LONGEST_ACCOUNT);
  if (countCharacters(account) < SHORTEST_ACCOUNT)
    throw refuseValue('collectionAccount', say`must be at least ${SHORTEST_ACCOUNT} characters`);
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  const { name: mda, collectionAccount: former } = await getAgency(call, input.id);
  if (account === former) throw refuseValue('collectionAccount', say`is the account that the agency has`);
  const at = call.now();
  const name = await call.docnames.next('accountChange', at);
  const changed = guard`
    insert into account_change (name, mda, collection_account, former_account, status, reason, requested_by, created_at,
      updated_at)
    values (${name}, ${mda}, ${account}, ${former}, 'Pending', ${reason}, ${call.viewer.actor}, ${at}, ${at})
    -- A second request is refused while one waits.
    on conflict (mda) where status = 'Pending' do nothing returning name`;
  const operated = {
    action: 'agency.account_requested',
    subject: mda,
    before: { collection_account_last4: endOf(former) },
    after: { collection_account_last4: endOf(account), account_change: name },
    reason,
  };
  if (!(await commit(call, { subject: name, guard: changed, operated })))
    throw refuseBecause('account_change_pending', `A change of the account of ${mda} waits to be decided`);
  return getAccountChange(call, name);
}

/** The part of an account that is shown, and audited. */
export function endOf(account: string | null): string | null {
  return account && account.slice(-4);
}

/** A change of an account that is asked for. */
export interface AskedAccount {
  readonly mda: string;
  readonly account: string;
  readonly former: string | null;
  readonly change: Operated;
}

/** Asks for the accounts with which a profile differs, where nobody has asked for another one meanwhile. */
export async function askForAccounts(
  { db, docnames, viewer, now }: Operator & Pick<Call, 'db' | 'docnames'>,
  asked: readonly AskedAccount[],
): Promise<void> {
  if (asked.length === 0) return;
  const at = now();
  const names = await docnames.take('accountChange', asked.length, at);
  const rows = asked.map(({ mda, account, former, change }, index) => {
    return { name: names[index], mda, account, former, reason: change.reason };
  });
  await db.rows(sql`
    insert into account_change (name, mda, collection_account, former_account, status, reason, requested_by, created_at,
      updated_at)
    select a.name, a.mda, a.account, a.former, 'Pending', a.reason, ${viewer.actor}, ${at}, ${at}
    from jsonb_to_recordset(${json(rows)}::jsonb) as a (name text, mda text, account text, former text, reason text)
    -- Somebody has asked for another one meanwhile.
    on conflict (mda) where status = 'Pending' do nothing`);
}
