import { mintKey } from '../access/keys.ts';
import { isScope } from '../access/viewer.ts';
import type { Rail } from '../call.ts';
import { sql } from '../database/sql.ts';
import { invalid } from '../refusal.ts';
import { requiredText } from '../text.ts';
import { newIntegratorCode } from './code.ts';

export interface IssuedKey {
  readonly integrator: string;
  readonly name: string;
  /** Shown this once; of it only a hash is kept. */
  readonly plaintext: string;
  readonly scopes: readonly string[];
}

/** For an integrator that there is, or for a new one, which is Active at once. */
export type KeyHolder = { readonly integrator: string } | { readonly organisation: string; readonly email: string };

/** Issues a key as an operator, with any scopes. */
export async function issueKey(rail: Rail, holder: KeyHolder, scopes: readonly string[], label = 'Issued by an operator'): Promise<IssuedKey> {
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (scopes.length === 0 || unknown.length > 0)
    throw invalid('scopes', unknown.length > 0 ? `there is no scope ${unknown.join(', ')}` : 'must not be empty');
  const at = rail.now();
  const key = mintKey(rail.config.mode);
  const name = await rail.docnames.next('key', at);
  const integrator = 'integrator' in holder ? await knownIntegrator(rail, holder.integrator) : await newIntegrator(rail, holder, at);
  await rail.db.row(sql`
    insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at)
    values (${name}, ${integrator}, ${label}, ${key.prefix}, ${key.last4}, ${key.hash}, 'active', ${[...scopes]}, ${at})`);
  return { integrator, name, plaintext: key.plaintext, scopes };
}

async function knownIntegrator(rail: Rail, code: string): Promise<string> {
  if (await rail.db.row(sql`select 1 from integrator where code = ${code}`)) return code;
  throw invalid('integrator', `there is no integrator ${code}`);
}

async function newIntegrator(rail: Rail, { organisation, email }: { organisation: string; email: string }, at: Date): Promise<string> {
  const name = requiredText('organisation', organisation, 200);
  const address = requiredText('email', email, 254).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw invalid('email', 'must be an e-mail address');
  const code = newIntegratorCode(name);
  const made = await rail.db.row(sql`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified, created_at, updated_at)
    values (${code}, ${name}, ${address}, ${name}, ${rail.config.mode}::integrator_tier, 'free', 'Active', false, ${at}, ${at})
    on conflict (contact_email) do nothing returning code`);
  if (!made) throw invalid('email', 'belongs to another integrator; name it with --integrator');
  return code;
}
