import { mintKey } from '../../platform/access/key-format.ts';
import { NO_GRANTS } from '../../platform/access/grants.ts';
import { visibleTo } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LONGEST_LABEL, properName } from '../../kernel/text.ts';
import { refuseWidening, scopesBeyond } from './authority.ts';
import { type ApiKey, getKey } from './find.ts';
import { type KeyRow, entered, insertKey, isActive, noRoom, roomIn } from './insert.ts';
import { knownScopes } from './scopes.ts';

export interface Issue {
  readonly key: ApiKey;
  /** Shown this once; of it only a hash is kept. */
  readonly plaintext: string;
}

/** Issues a further key to the caller's integrator, with some of the scopes that the integrator may hold. */
export async function issueFurtherKey(call: Call, input: { label: string; scopes: readonly string[]; managesAccount: boolean }): Promise<Issue> {
  const label = properName('label', input.label, LONGEST_LABEL);
  const scopes = knownScopes(input.scopes);
  refuseWidening(call.viewer, scopes);
  const integrator = call.viewer.integrator!;
  const beyond = await scopesBeyond(call, integrator, scopes);
  if (beyond.length > 0) throw new Refusal('forbidden', `Your account may not hold the scope ${beyond.join(', ')}; ask the operator for such a key`);
  const at = call.now();
  const key = mintKey(call.config.mode);
  const name = await call.docnames.next('key', at);
  const grants = { ...NO_GRANTS, managesAccount: input.managesAccount };
  const row: KeyRow = { name, integrator, label, scopes, grants, key, createdAt: at };
  const changed = guard`${insertKey(sql`${roomIn(integrator)} and status = 'Active'`, row)}`;
  if (!(await commit(call, { subject: name, guard: changed })))
    throw (await isActive(call, integrator)) ? noRoom() : new Refusal('unauthenticated', 'The account is suspended');
  return { key: entered(row), plaintext: key.plaintext };
}

/**
 * Gives a key that was issued, but whose plaintext never reached anybody since its process died before it could answer, a new
 * plaintext.
 */
export async function issueAgain(call: Call, name: string): Promise<Issue> {
  const { hash, plaintext, last4 } = mintKey(call.config.mode);
  const renewed = await call.db.row(sql`
    update api_key r set hash = ${hash}, last4 = ${last4}, updated_at = ${call.now()}
    where r.name = ${name} and ${visibleTo(call.viewer)} and r.status = 'active' and r.last_used_at is null returning 1`);
  if (!renewed) throw new Refusal('validation_failed', `${name} was issued by this request, and is in use or revoked already; issue another key`);
  return { key: await getKey(call, name), plaintext };
}
