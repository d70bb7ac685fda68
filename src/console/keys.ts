import { mintKey } from '../platform/access/key-format.ts';
import type { Call } from '../platform/call/call.ts';
import { commit } from '../platform/change/commit.ts';
import { guard } from '../platform/change/step.ts';
import { type PageArgs, given, newestFirst, readPage } from '../platform/change/page.ts';
import { sql } from '../platform/database/sql.ts';
import { type ApiKey, keyColumns } from '../accounts/keys/find.ts';
import { type AskedGrants, knownGrants, auditedGrants } from '../accounts/keys/grants.ts';
import { type KeyRow, entered, insertKey, isActive, noRoom, roomIn } from '../accounts/keys/insert.ts';
import type { Issue } from '../accounts/keys/issue.ts';
import type { KeyStatus } from '../accounts/keys/lifecycle.ts';
import { knownScopes } from '../accounts/keys/scopes.ts';
import { invalid } from '../kernel/refusal.ts';
import { LONGEST_LABEL, properName } from '../kernel/text.ts';

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
      where: [given(filter.integrator, (code) => sql`r.integrator = ${code}`)],
      filters: [given(filter.status, (status) => sql`${shown} = ${status}`)],
    },
    page,
  );
}

/** Issues a key to an integrator, with any scopes and grants. */
export async function operatorIssuesKey(
  call: Call,
  input: AskedGrants & { integrator: string; label: string; scopes: readonly string[] },
): Promise<Issue> {
  const label = properName('label', input.label, LONGEST_LABEL);
  const scopes = knownScopes(input.scopes);
  const grants = await knownGrants(call, input);
  const { integrator } = input;
  const at = call.now();
  const key = mintKey(call.config.mode);
  const name = await call.docnames.next('key', at);
  const row: KeyRow = { name, integrator, label, scopes, grants, key, createdAt: at, issuedBy: call.viewer.actor };
  const changed = guard`${insertKey(sql`${roomIn(integrator)} and status = 'Active'`, row)}`;
  const operated = { action: 'key.issue', subject: name, before: null, after: { integrator, label, scopes, ...auditedGrants(grants) }, reason: null };
  if (!(await commit(call, { subject: name, guard: changed, operated })))
    throw (await isActive(call, integrator)) ? noRoom() : invalid('integrator', 'could not find this integrator among the Active ones');
  return { key: entered(row), plaintext: key.plaintext };
}
