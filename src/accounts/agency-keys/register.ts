import { AGENCY_SCOPES } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { requireName } from '../../kernel/text/names.ts';
import { takesApproval } from '../../collection/approvals/kinds.ts';
import { askForAgencyKey } from './approval.ts';
import type { AgencyKey } from './find.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';
import { say } from '../../kernel/text/said.ts';

/** An operator's registration. */
export interface AskedAgencyKey {
  readonly agency: string;
  readonly publicKey?: unknown;
  readonly scopes: readonly string[];
  readonly label: string;
}

/** Registers a public key of an agency, under which it may ask for tokens; on a live rail once another operator approves it. */
export async function registerAgencyKey(call: Call, asked: AskedAgencyKey): Promise<AgencyKey> {
  const label = requireName('label', asked.label, LONGEST_LABEL);
  const scopes = checkAgencyScopes(asked.scopes);
  const publicKey = await readPublicKey('publicKey', asked.publicKey);
  const key = await draftAgencyKey(call, { mda: asked.agency, label, scopes }, publicKey);
  const agency = sql`mda where name = ${key.mda} and status <> 'Inactive'`;
  const { name, mda, kid, thumbprint } = key;
  const inserted = guard`${insertAgencyKey(agency, key)}`;
  const steps = key.status === 'waiting' ? await askForAgencyKey(call, inserted, key, null) : [];
  const registered = await refuseKnown(() =>
    commit(call, {
      subject: name,
      guard: inserted,
      steps,
      operated: {
        action: 'agency_key.register',
        subject: name,
        before: null,
        after: { mda, label, scopes, kid, thumbprint },
        reason: null,
      },
    }),
  );
  if (!registered) throw refuseValue('agency', say`could not find an agency with this code that is not Inactive`);
  return key;
}

/** Scopes as they were asked for, each once; refused where there is none, or one that is not for agencies. */
function checkAgencyScopes(asked: readonly string[]): string[] {
  const others = asked.filter((scope) => !(AGENCY_SCOPES as readonly string[]).includes(scope));
  if (asked.length === 0) throw refuseValue('scopes', say`must not be empty`);
  if (others.length > 0) throw refuseValue('scopes', `agencies may have ${AGENCY_SCOPES.join(', ')} alone`);
  return [...new Set(asked)];
}

/** A key of an agency as it will be once it is inserted. */
export async function draftAgencyKey(
  call: Call,
  { mda, label, scopes }: { mda: string; label: string; scopes: readonly string[] },
  { jwk, kid, thumbprint }: PublicKey,
  replaces?: Pick<AgencyKey, 'name' | 'lineage'>,
): Promise<AgencyKey> {
  const at = call.now();
  const name = await call.docnames.next('agencyKey', at);
  return {
    name,
    mda,
    label,
    kid,
    publicKey: { ...jwk },
    thumbprint,
    status: takesApproval(call) ? 'waiting' : 'active',
    scopes,
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    revokedReason: null,
    replaces: replaces?.name ?? null,
    lineage: replaces?.lineage ?? name,
    registeredBy: call.viewer.actor,
  };
}

/** The step that inserts a drafted key for each row of a relation. */
export function insertAgencyKey(relation: Sql, key: AgencyKey): Sql {
  return sql`
    insert into agency_key (name, mda, label, kid, public_key, thumbprint, status, scopes, created_at, updated_at,
      replaces, lineage, registered_by)
    select ${key.name}, ${key.mda}, ${key.label}, ${key.kid}, ${json(key.publicKey)}::jsonb, ${key.thumbprint},
      ${key.status}::key_status, ${[...key.scopes]}, ${key.createdAt}, ${key.updatedAt}, ${key.replaces}, ${key.lineage},
      ${key.registeredBy}
    from ${relation} returning name`;
}

const KNOWN = ['agency_key_thumbprint_key', 'agency_key_mda_kid_key'];

/** Refuses a public key that is registered, for whichever agency, or another key of the agency that goes by its name. */
export async function refuseKnown<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!KNOWN.includes(violatedUniqueOf(error) ?? '')) throw error;
    throw refuseValue('publicKey', 'is registered already, or another with its `kid` is', 'key_already_registered');
  }
}
