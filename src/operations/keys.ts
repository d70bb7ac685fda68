import { mintKey } from '../access/keys.ts';
import type { Call } from '../call.ts';
import { commit, untilSettled } from '../database/change.ts';
import { type PageArgs, given, newestFirst, readPage } from '../database/page.ts';
import { sql } from '../database/sql.ts';
import { type ApiKey, keyColumns } from '../keys/find.ts';
import { type KeyRow, entered, insertKey } from '../keys/insert.ts';
import type { Issue } from '../keys/issue.ts';
import { type KeyStatus, keyLifecycle, statusAt } from '../keys/lifecycle.ts';
import { knownScopes } from '../keys/scopes.ts';
import { allows } from '../lifecycle.ts';
import { Refusal, invalid } from '../refusal.ts';
import { requiredText } from '../text.ts';

export interface KeyFilter {
  readonly integrator?: string | null | undefined;
  readonly status?: KeyStatus | null | undefined;
}

/** Keys of all integrators, newest first. */
export function listAllKeys(call: Call, filter: KeyFilter, page: PageArgs): Promise<ApiKey[]> {
  const shown = sql`case when r.status = 'rolling' and r.expires_at <= ${call.now()} then 'expired' else r.status::text end`;
  return readPage<ApiKey>(
    call,
    {
      select: sql`select ${keyColumns} from api_key r`,
      table: 'api_key',
      ...newestFirst,
      where: [given(filter.integrator, (code) => sql`r.integrator = ${code}`), given(filter.status, (status) => sql`${shown} = ${status}`)],
      mostRows: 200,
    },
    page,
  );
}

export async function getAnyKey({ db }: Call, name: string): Promise<ApiKey> {
  const key = await db.row<ApiKey>(sql`select ${keyColumns} from api_key r where r.name = ${name}`);
  if (!key) throw new Refusal('not_found', 'There is no such key');
  return key;
}

/** Issues a key to an integrator, with any scopes. */
export async function operatorIssuesKey(call: Call, input: { integrator: string; label: string; scopes: readonly string[] }): Promise<Issue> {
  const label = requiredText('label', input.label, 100);
  const scopes = knownScopes(input.scopes);
  const { integrator } = input;
  const at = call.now();
  const key = mintKey(call.config.mode);
  const name = await call.docnames.next('key', at);
  const row: KeyRow = { name, integrator, label, scopes, key, createdAt: at, issuedBy: call.viewer.actor };
  const changed = insertKey(sql`integrator where code = ${integrator} and status = 'Active'`, row);
  const operated = { action: 'key.issue', subject: name, before: null, after: { integrator, label, scopes }, reason: null };
  if (!(await commit(call, { subject: name, steps: { changed }, operated })))
    throw invalid('integrator', 'could not find this integrator among the Active ones');
  return { key: entered(row), plaintext: key.plaintext };
}

/** A new plaintext for a key whose own never reached anybody, since its process died before it could answer. */
export async function operatorIssuesAgain(call: Call, name: string): Promise<Issue> {
  const { hash, plaintext, last4 } = mintKey(call.config.mode);
  const renewed = await call.db.row(sql`
    update api_key set hash = ${hash}, last4 = ${last4} where name = ${name} and status = 'active' and last_used_at is null returning 1`);
  if (!renewed) throw new Refusal('validation_failed', `${name} was issued by this request, and is in use or revoked already; issue another key`);
  return { key: await getAnyKey(call, name), plaintext };
}

/** Ends any key at once and for good. One that is revoked already stays as it is. */
export function operatorRevokesKey(call: Call, input: { name: string; reason: string }): Promise<ApiKey> {
  const reason = requiredText('reason', input.reason, 280);
  return untilSettled(async () => {
    const before = await getAnyKey(call, input.name);
    const at = call.now();
    const status = statusAt(before, at);
    if (status === 'revoked') return before;
    if (!allows(keyLifecycle.revoke, status)) throw new Refusal('validation_failed', `${before.name} is ${status} already`);
    const changed = sql`
      update api_key set status = ${keyLifecycle.revoke.to}::key_status, revoked_at = ${at}, revoked_reason = ${reason}
      where name = ${before.name} and status = any(${keyLifecycle.revoke.from}::key_status[]) returning name`;
    const operated = { action: 'key.revoke', subject: before.name, before: { status }, after: { status: keyLifecycle.revoke.to }, reason };
    return (await commit(call, { subject: before.name, steps: { changed }, operated })) ? getAnyKey(call, before.name) : undefined;
  });
}
