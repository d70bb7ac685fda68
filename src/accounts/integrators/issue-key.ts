import { randomUUID } from 'node:crypto';
import type { Grants } from '../../platform/access/grants.ts';
import { commandLine } from '../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../platform/call/call.ts';
import { invalid } from '../../kernel/refusal.ts';
import type { Issue } from '../keys/draft.ts';
import type { AskedGrants } from '../keys/grants.ts';
import { type AskedKey, issueKeyAsOperator, issueKeyToNewAccount } from '../keys/issue.ts';
import { draftAccount } from './open.ts';

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
  const call = callOf(rail, commandLine, randomUUID());
  const asked = { ...grants, label, scopes };
  const { key, plaintext } =
    'integrator' in holder ? await issueKeyAsOperator(call, { ...asked, ...holder }) : await issueFirstKey(call, holder, asked);
  const { integrator, name, supervises, counters, managesAccount } = key;
  return { integrator, name, plaintext, scopes: key.scopes, supervises, counters, managesAccount };
}

async function issueFirstKey(call: Call, holder: NewHolder, asked: AskedKey): Promise<Issue> {
  const managesAccount = asked.managesAccount ?? true;
  const issue = await issueKeyToNewAccount(call, draftAccount(call, holder), { ...asked, managesAccount });
  if (!issue) throw invalid('email', 'belongs to another integrator; name it with --integrator');
  return issue;
}
