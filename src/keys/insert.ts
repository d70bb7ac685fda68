import type { NewKey } from '../access/keys.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { ApiKey } from './find.ts';

export interface KeyRow {
  readonly name: string;
  readonly integrator: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly key: NewKey;
  readonly createdAt: Date;
  /** The key that it was rotated from. */
  readonly replaces?: string | undefined;
  /** The operator that issues it; left out where the integrator does so itself. */
  readonly issuedBy?: string | null | undefined;
}

/** Enters a new, active key for each row of a relation, which has one where the key is to be and none where it is not. */
export function insertKey(relation: Sql, { name, integrator, label, scopes, key, createdAt, replaces, issuedBy }: KeyRow): Sql {
  return sql`
    insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at, replaces, issued_by)
    select ${name}, ${integrator}, ${label}, ${key.prefix}, ${key.last4}, ${key.hash}, 'active', ${[...scopes]}, ${createdAt}, ${replaces ?? null}, ${issuedBy ?? null}
    from ${relation} returning name`;
}

/** The key that such a row becomes. */
export function entered({ name, integrator, label, scopes, key, createdAt, replaces, issuedBy }: KeyRow): ApiKey {
  const { prefix, last4 } = key;
  const nothingYet = { lastUsedAt: null, expiresAt: null, revokedAt: null, revokedReason: null };
  return {
    name,
    integrator,
    label,
    prefix,
    last4,
    status: 'active',
    scopes,
    createdAt,
    ...nothingYet,
    replaces: replaces ?? null,
    issuedBy: issuedBy ?? null,
  };
}
