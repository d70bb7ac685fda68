import { randomUUID } from 'node:crypto';
import type { Grants } from '../../platform/access/grants.ts';
import { mintKey } from '../../platform/access/key-format.ts';
import { STANDARD_SCOPES, commandLine } from '../../platform/access/viewer.ts';
import { type Rail, callOf } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { type AskedGrants, auditedGrants, knownGrants } from '../keys/grants.ts';
import { insertKey, noRoom, roomIn } from '../keys/insert.ts';
import { knownScopes } from '../keys/scopes.ts';
import { invalid } from '../../kernel/refusal.ts';
import { LONGEST_LABEL, emailAddress, properName } from '../../kernel/text.ts';
import { newIntegratorCode } from './code.ts';

export interface IssuedKey extends Grants {
  readonly integrator: string;
  readonly name: string;
  /** Shown this once; of it only a hash is kept. */
  readonly plaintext: string;
  readonly scopes: readonly string[];
}

/** For an integrator that there is, or for a new one, which is Active at once. */
export type KeyHolder = { readonly integrator: string } | { readonly organisation: string; readonly email: string };

/** Issues a key as an operator, with any scopes and grants. The first key of a new account manages it. */
export async function issueKey(
  rail: Rail,
  holder: KeyHolder,
  asked: readonly string[],
  labelled = 'Issued by an operator',
  grantsAsked: AskedGrants = {},
): Promise<IssuedKey> {
  const scopes = knownScopes(asked);
  const label = properName('label', labelled, LONGEST_LABEL);
  const grants = await knownGrants(rail, { ...grantsAsked, managesAccount: grantsAsked.managesAccount ?? 'organisation' in holder });
  const at = rail.now();
  const key = mintKey(rail.config.mode);
  const name = await rail.docnames.next('key', at);
  const integrator = 'integrator' in holder ? await knownIntegrator(rail, holder.integrator) : await newIntegrator(rail, holder, at);
  const changed = guard`${insertKey(roomIn(integrator), { name, integrator, label, scopes, grants, key, createdAt: at, issuedBy: commandLine.actor })}`;
  const operated = { action: 'key.issue', subject: name, before: null, after: { integrator, label, scopes, ...auditedGrants(grants) }, reason: null };
  const issued = await commit(callOf(rail, commandLine, randomUUID()), { subject: null, guard: changed, operated });
  if (!issued) throw noRoom();
  return { integrator, name, plaintext: key.plaintext, scopes, ...grants };
}

async function knownIntegrator(rail: Rail, code: string): Promise<string> {
  if (await rail.db.row(sql`select 1 from integrator where code = ${code}`)) return code;
  throw invalid('integrator', `there is no integrator ${code}`);
}

/** The operator vouches for the address, and whoever reads its mail may sign in. */
async function newIntegrator(rail: Rail, { organisation, email }: { organisation: string; email: string }, at: Date): Promise<string> {
  const name = properName('organisation', organisation);
  const address = emailAddress('email', email);
  const code = newIntegratorCode(name);
  const made = await rail.db.row(sql`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified, scopes, created_at, updated_at)
    values (${code}, ${name}, ${address}, ${name}, ${rail.config.mode}::integrator_tier, 'free', 'Active', true, ${[...STANDARD_SCOPES]}, ${at}, ${at})
    on conflict (contact_email) where status <> 'PendingEmail' do nothing returning code`);
  if (!made) throw invalid('email', 'belongs to another integrator; name it with --integrator');
  return code;
}
