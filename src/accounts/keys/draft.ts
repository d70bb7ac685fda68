import { type BrowserTerms, type Grants, NO_BROWSER, NO_GRANTS } from '../../platform/access/grants.ts';
import { type KeyMode, mintKey } from '../../platform/access/key-format.ts';
import type { Tools } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { ApiKey } from './find.ts';

/** Terms of a new key. */
export interface KeyTerms {
  readonly integrator: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** Kind of the key: for payments, or for trying the rail out: see `findKeyMode`. */
  readonly mode: KeyMode;
  /** Left out where it has none. */
  readonly grants?: Grants;
  /** The key that it replaces. */
  readonly replaces?: Pick<ApiKey, 'name' | 'lineage'>;
  /** The operator that issues it; left out where the integrator does so itself. */
  readonly issuedBy?: string | null;
  /** True if it does not work until it is approved. */
  readonly waits?: boolean;
  /** Bounds of a browser key. */
  readonly browser?: BrowserTerms;
  /** End of its time; left out if it has none. */
  readonly expiresAt?: Date;
}

/** A key and its plaintext, which is shown once: of it only a hash is kept. */
export interface Issue {
  readonly key: ApiKey;
  readonly plaintext: string;
}

/** A key as it will be once it is inserted. */
export interface KeyDraft extends Issue {
  readonly hash: Buffer;
}

/** Drafts a key: the beginning of every way to issue one. */
export async function draftKey(rail: Tools, terms: KeyTerms): Promise<KeyDraft> {
  const { integrator, label, scopes, mode, grants = NO_GRANTS, replaces, issuedBy = null, waits = false } = terms;
  const { browser = NO_BROWSER, expiresAt = null } = terms;
  const at = rail.now();
  const { prefix, last4, hash, plaintext } = mintKey(mode);
  const name = await rail.docnames.next('key', at);
  const key: ApiKey = {
    name,
    integrator,
    label,
    prefix,
    last4,
    status: waits ? 'waiting' : 'active',
    scopes,
    ...grants,
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
    revokedReason: null,
    replaces: replaces?.name ?? null,
    lineage: replaces?.lineage ?? name,
    issuedBy,
    ...browser,
  };
  return { key, plaintext, hash };
}

/**
 * The step that inserts a drafted key for each row of a relation, which has one where the key is to be and none where
 * it is not.
 */
export function insertKey(relation: Sql, { key, hash }: KeyDraft): Sql {
  const {
    name,
    integrator,
    label,
    prefix,
    last4,
    status,
    scopes,
    supervises,
    counters,
    managesAccount,
    createdAt,
    replaces,
    lineage,
    issuedBy,
    expiresAt,
    origins,
    operations,
    agencies,
  } = key;
  return sql`
    insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, supervises, counters,
      manages_account, created_at, updated_at,
      replaces, lineage, issued_by, expires_at, origins, operations, agencies)
    select ${name}, ${integrator}, ${label}, ${prefix}, ${last4}, ${hash}, ${status}::key_status, ${[...scopes]}, ${[...supervises]},
      ${[...counters]}, ${managesAccount},
      ${createdAt}, ${createdAt}, ${replaces}, ${lineage}, ${issuedBy},
      ${expiresAt}::timestamptz, ${[...origins]}, ${[...operations]}, ${[...agencies]}
    from ${relation} returning name`;
}
