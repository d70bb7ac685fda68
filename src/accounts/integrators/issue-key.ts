import type { Grants } from '../../platform/access/grants.ts';
import { callByOperator } from '../../platform/call/operator.ts';
import { STANDARD_SCOPES } from '../../platform/access/needs.ts';
import type { Call, Rail, Tools } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { requireName } from '../../kernel/text/names.ts';
import type { Issue } from '../keys/draft.ts';
import type { AskedGrants } from '../keys/grants.ts';
import { type AskedKey, issueKeyAsOperator, issueKeyToNewAccount } from '../keys/issue.ts';
import { makeIntegratorCode } from './code.ts';
import { say } from '../../kernel/text/said.ts';

export interface IssuedKey extends Grants {
  readonly integrator: string;
  readonly name: string;
  /** Shown this once; of it only a hash is kept. */
  readonly plaintext: string;
  readonly scopes: readonly string[];
}

interface NewHolder {
  readonly organisation: string;
  readonly email: string;
}

/** For an integrator that there is, or for a new one, which is Active at once. */
export type KeyHolder = { readonly integrator: string } | NewHolder;

/** Issues a key at the command line, with any scopes and grants. The first key of a new account manages it. */
export async function issueKey(
  rail: Rail,
  holder: KeyHolder,
  scopes: readonly string[],
  label = 'Issued by an operator',
  grants: AskedGrants = {},
): Promise<IssuedKey> {
  const call = callByOperator(rail);
  const asked = { ...grants, label, scopes };
  const { key, plaintext } =
    'integrator' in holder
      ? await issueKeyAsOperator(call, { ...asked, ...holder })
      : await issueFirstKey(call, holder, asked);
  const { integrator, name, supervises, counters, managesAccount } = key;
  return { integrator, name, plaintext, scopes: key.scopes, supervises, counters, managesAccount };
}

async function issueFirstKey(call: Call, holder: NewHolder, asked: AskedKey): Promise<Issue> {
  const managesAccount = asked.managesAccount ?? true;
  const issue = await issueKeyToNewAccount(call, draftAccount(call, holder), { ...asked, managesAccount });
  if (!issue) throw refuseValue('email', say`belongs to another integrator; name it with --integrator`);
  return issue;
}

/** The code of a new account, and the step that opens it, unless its address belongs to another. */
interface NewAccount {
  readonly code: string;
  readonly opened: Step;
}

/** An account that is Active at once: an operator vouches for its address, and its reader may sign in. */
function draftAccount({ config, now }: Tools, { organisation, email }: NewHolder): NewAccount {
  const name = requireName('organisation', organisation);
  const address = requireEmail('email', email);
  const code = makeIntegratorCode(name);
  const at = now();
  const opened = step('opened')`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified,
      scopes, created_at, updated_at)
    values (${code}, ${name}, ${address}, ${name}, ${config.mode}::integrator_tier, 'free', 'Active', true,
      ${[...STANDARD_SCOPES]}, ${at}, ${at})
    -- An address that is taken is refused.
    on conflict (contact_email) where status <> 'PendingEmail' do nothing returning code`;
  return { code, opened };
}
