import { type KeyMode, mintKey, prefixOf } from '../../platform/access/key-format.ts';
import { NO_GRANTS } from '../../platform/access/grants.ts';
import { OF_ACCOUNTS, whereVisible } from '../../platform/access/owned.ts';
import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { reportAlone } from '../../collection/approvals/alone.ts';
import { Refusal, refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { requireName } from '../../kernel/text/names.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { askForKey, takesTwo, waitsForApproval } from './approval.ts';
import { refuseBeyondAccount, refuseWidening } from './authority.ts';
import { type Issue, type KeyTerms, draftKey, insertKey } from './draft.ts';
import { getKey } from './find.ts';
import { type AskedGrants, snapshotBrowserTerms, snapshotGrants, checkGrants } from './grants.ts';
import { findKeyMode } from './mode.ts';
import { checkScopes } from './scopes.ts';
import { say } from '../../kernel/text/said.ts';

/** Most active keys of an account. */
const MOST_ACTIVE_KEYS = 20;

/** Issues a further key to the caller's integrator, with some of the scopes that the integrator may hold. */
export async function issueFurtherKey(
  call: Call,
  input: { label: string; scopes: readonly string[]; managesAccount: boolean },
): Promise<Issue> {
  const label = requireName('label', input.label, LONGEST_LABEL);
  const scopes = checkScopes(input.scopes);
  refuseWidening(call.viewer, scopes);
  const integrator = call.viewer.integrator!;
  await refuseBeyondAccount(call, integrator, scopes);
  const grants = { ...NO_GRANTS, managesAccount: input.managesAccount };
  const mode = await findKeyMode(call, integrator);
  return issueByAccount(call, { integrator, label, scopes, mode, grants });
}

/** Issues a key of an account to itself. */
export async function issueByAccount(call: Call, terms: KeyTerms): Promise<Issue> {
  const issued = await issue(call, terms);
  if (!issued) throw new Refusal('unauthenticated', 'The account is suspended');
  return issued;
}

/** An operator's request for a key: any scopes and grants. */
export interface AskedKey extends AskedGrants {
  readonly label: string;
  readonly scopes: readonly string[];
}

/**
 * Issues a key as an operator, to any Active integrator. Where it takes two operators, it does not work until another
 * approves it; the requester has its plaintext already.
 */
export async function issueKeyAsOperator(
  call: Call,
  input: AskedKey & { readonly integrator: string },
): Promise<Issue> {
  const mode = await findKeyMode(call, input.integrator);
  return issueByOperator(call, await draftTermsByOperator(call, input.integrator, mode, input));
}

/** Issues a key as an operator, to an account that has to be there. */
export async function issueByOperator(call: Call, terms: KeyTerms): Promise<Issue> {
  const issued = await issue(call, terms);
  if (!issued) throw refuseValue('integrator', say`could not find an Active integrator with this code`);
  return issued;
}

/**
 * Issues the first key of an account that an operator opens, by a step, in the same statement; null: the account cannot
 * be opened.
 */
export async function issueKeyToNewAccount(
  call: Call,
  { code, opened }: { code: string; opened: Step },
  asked: AskedKey,
): Promise<Issue | null> {
  // Its operator vouches for it: it is of the tier that the rail is.
  return issue(call, await draftTermsByOperator(call, code, call.config.mode, asked), opened);
}

async function draftTermsByOperator(call: Call, integrator: string, mode: KeyMode, asked: AskedKey): Promise<KeyTerms> {
  const label = requireName('label', asked.label, LONGEST_LABEL);
  const scopes = checkScopes(asked.scopes);
  const grants = await checkGrants(call, asked);
  const waits = waitsForApproval(call, { ...grants, scopes });
  return { integrator, label, scopes, mode, grants, issuedBy: call.viewer.actor, waits };
}

/**
 * The one recipe for a single key. It goes to the account that a step opens, or else to one that is in use and has
 * room; null: there is no such account. What an operator issues is audited.
 */
async function issue(call: Call, terms: KeyTerms, opened?: Step): Promise<Issue | null> {
  const draft = await draftKey(call, terms);
  const { key, plaintext } = draft;
  const { name, integrator, label, scopes, issuedBy } = key;
  const account = sql`integrator where code = ${integrator} and status = 'Active'`;
  // Others that would take the last room wait.
  const room = opened ? sql`${opened}` : sql`${account} and active_keys_of(code) < ${MOST_ACTIVE_KEYS}`;
  const after = { integrator, label, scopes, ...snapshotGrants(key), ...snapshotBrowserTerms(key) };
  const operated: Operated = { action: 'key.issue', subject: name, before: null, after, reason: null };
  const changed = guard`${insertKey(room, draft)}`;
  const isAlone = issuedBy !== null && takesTwo(key);
  const steps =
    key.status === 'waiting'
      ? [await askForKey(call, changed, key)]
      : isAlone
        ? await reportAlone(call, changed, operated)
        : [];
  const change = { subject: name, guard: changed, steps, ...(issuedBy !== null && { operated }) };
  if (await commit(call, change)) return { key, plaintext };
  if (!(await call.db.row(sql`select 1 from ${account}`))) return null;
  throw refuseBecause(
    'too_many_keys',
    `An account has at most ${MOST_ACTIVE_KEYS} active keys; revoke one first`,
    'integrator',
  );
}

/**
 * Gives a key that was issued, but whose plaintext never reached anybody since its process died before it could answer,
 * a new plaintext.
 */
export async function issueAgain(call: Call, name: string): Promise<Issue> {
  const { prefix } = await getKey(call, name);
  const { hash, plaintext, last4 } = mintKey(prefix === prefixOf('live') ? 'live' : 'sandbox');
  const renewed = await call.db.row(sql`
    update api_key r set hash = ${hash}, last4 = ${last4}, updated_at = ${call.now()}
    where r.name = ${name} and ${whereVisible(call.viewer, OF_ACCOUNTS)} and r.status in ('active', 'waiting') and r.last_used_at is null
    returning 1`);
  if (!renewed)
    throw new Refusal(
      'validation_failed',
      `${name} was issued by this request and is already in use or revoked; issue another key`,
    );
  return { key: await getKey(call, name), plaintext };
}
