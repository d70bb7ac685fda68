import { type Viewer, hasScope } from '../../platform/access/viewer.ts';
import { isScope } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ApiKey } from './find.ts';

/**
 * Refuses a key that would end or replace another without managing the account. Whether that other one exists makes no
 * difference.
 */
export function refuseForeignKey(viewer: Viewer, name: string): void {
  if (viewer.kind !== 'key' || viewer.key === name || viewer.managesAccount) return;
  throw new Refusal(
    'forbidden',
    'This key may only rotate and revoke itself; for other keys, sign in or use a key with manages_account',
  );
}

/** Refuses a key that would hand out more than it holds itself; a session acts for the whole account. */
export function refuseWidening(viewer: Viewer, scopes: readonly string[]): void {
  const missing = viewer.kind === 'key' ? scopes.filter((scope) => !isScope(scope) || !hasScope(viewer, scope)) : [];
  if (missing.length > 0) throw new Refusal('forbidden', `This key lacks the scope ${missing.join(', ')}`);
}

/** Refuses scopes that an account may not give to its keys. */
export async function refuseBeyondAccount(call: Call, integrator: string, scopes: readonly string[]): Promise<void> {
  const beyond = await findScopesBeyond(call, integrator, scopes);
  if (beyond.length > 0)
    throw new Refusal(
      'forbidden',
      `Your account does not have the scope ${beyond.join(', ')}; ask the operator for such a key`,
    );
}

/** The scopes among some that an account may not give to its keys. */
async function findScopesBeyond({ db }: Call, integrator: string, scopes: readonly string[]): Promise<string[]> {
  const owner = await db.row<{ scopes: string[] }>(sql`select scopes from integrator where code = ${integrator}`);
  return scopes.filter((scope) => !owner!.scopes.includes(scope));
}

/**
 * Refuses a rotation that would put what operators gave to one key into other hands of its account: such a key is
 * rotated with the key itself, or by operators.
 */
export async function refuseTakingOver(call: Call, key: ApiKey): Promise<void> {
  const { viewer } = call;
  if (viewer.kind === 'staff' || viewer.key === key.name) return;
  refuseWidening(viewer, key.scopes);
  const given =
    key.supervises.length > 0 ||
    key.counters.length > 0 ||
    (await findScopesBeyond(call, key.integrator, key.scopes)).length > 0;
  if (given)
    throw new Refusal(
      'forbidden',
      `${key.name} has grants that only operators give; it can only be rotated with the key itself or by operators`,
    );
}
