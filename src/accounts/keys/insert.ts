import { type Grants, NO_GRANTS } from '../../platform/access/grants.ts';
import type { NewKey } from '../../platform/access/key-format.ts';
import type { Rail } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { type Refusal, because } from '../../kernel/refusal.ts';
import type { ApiKey } from './find.ts';

export interface KeyRow {
  readonly name: string;
  readonly integrator: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** Left out where it has none. */
  readonly grants?: Grants | undefined;
  readonly key: NewKey;
  readonly createdAt: Date;
  /** The key that it was rotated from. */
  readonly replaces?: Pick<ApiKey, 'name' | 'lineage'> | undefined;
  /** The operator that issues it; left out where the integrator does so itself. */
  readonly issuedBy?: string | null | undefined;
}

/** How many active keys an account may have. */
export const MOST_ACTIVE_KEYS = 20;

/** An account in which there is room for another active key: one row or none. Others that would take it wait. */
export function roomIn(integrator: string): Sql {
  return sql`integrator where code = ${integrator} and active_keys_of(code) < ${MOST_ACTIVE_KEYS}`;
}

/** Whether an account is there and in use. */
export async function isActive({ db }: Rail, integrator: string): Promise<boolean> {
  return (await db.row(sql`select 1 from integrator where code = ${integrator} and status = 'Active'`)) !== null;
}

/** The refusal of a key for which there is no room. */
export function noRoom(): Refusal {
  return because('too_many_keys', `An account has at most ${MOST_ACTIVE_KEYS} active keys; revoke one first`, 'integrator');
}

/** Enters a new, active key for each row of a relation, which has one where the key is to be and none where it is not. */
export function insertKey(relation: Sql, row: KeyRow): Sql {
  const { hash } = row.key;
  const { name, integrator, label, prefix, last4, scopes, supervises, counters, managesAccount, createdAt, replaces, lineage, issuedBy } =
    entered(row);
  return sql`
    insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, supervises, counters, manages_account, created_at, updated_at, replaces, lineage, issued_by)
    select ${name}, ${integrator}, ${label}, ${prefix}, ${last4}, ${hash}, 'active', ${[...scopes]}, ${[...supervises]}, ${[...counters]}, ${managesAccount},
      ${createdAt}, ${createdAt}, ${replaces}, ${lineage}, ${issuedBy}
    from ${relation} returning name`;
}

/** The key that such a row becomes. */
export function entered({ name, integrator, label, scopes, grants = NO_GRANTS, key, createdAt, replaces, issuedBy }: KeyRow): ApiKey {
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
    ...grants,
    createdAt,
    updatedAt: createdAt,
    ...nothingYet,
    replaces: replaces?.name ?? null,
    lineage: replaces?.lineage ?? name,
    issuedBy: issuedBy ?? null,
  };
}
