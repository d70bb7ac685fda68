import { type Database, sql } from '../database/sql.ts';
import { forbidBecause } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { Role } from './needs.ts';
import type { Viewer } from './viewer.ts';

/**
 * For how long somebody counts as those whom they invited or reactivated, whose roles, agencies or second factor they
 * changed, or to whose account they issued a key, directly or through others.
 */
const DEPENDENT_DAYS = 90;

interface Reading {
  readonly db: Database;
  now(): Date;
}

/** Names of staff and accounts; null stands for nobody. */
type Names = readonly (string | null)[];

/**
 * Under which names somebody acts: a key as its account, and as the operator who issued it. The rail itself and its
 * command line are nobody.
 */
export function namesOf({ kind, actor, issuedBy }: Viewer): string[] {
  return kind === 'system' ? [] : [actor, ...(issuedBy === null ? [] : [issuedBy])];
}

/** From when on it counts what somebody did for somebody else. */
export function dependentSince({ now }: Pick<Reading, 'now'>): Date {
  return new Date(now().getTime() - DEPENDENT_DAYS * DAY_MS);
}

/** True if some people are independent of others: nobody stands behind both. */
export async function areIndependent(rail: Reading, some: Names, others: Names): Promise<boolean> {
  const row = await rail.db.row<{ independent: boolean }>(sql`
    select are_independent(${named(some)}::text[], ${named(others)}::text[], ${dependentSince(rail)}) as independent`);
  return row!.independent;
}

function named(names: Names): string[] {
  return names.filter((name) => name !== null);
}

/** Refuses a caller who is to decide, and is not independent of those who asked or whom it is about. */
export async function refuseDependent(
  call: Reading & { readonly viewer: Viewer },
  others: Names,
  path = 'name',
): Promise<void> {
  if (await areIndependent(call, namesOf(call.viewer), others)) return;
  throw forbidBecause(
    'not_independent',
    'Somebody independent has to decide: within 90 days, one of you gave the other access, or the same person gave it to both',
    path,
  );
}

/** Group of which a live rail has no two independent people, so that requests cannot be approved. */
export type Lacking = 'operators' | 'admins';

/** Group that a rail lacks; null if none, and in a sandbox. */
export async function findLacking(
  rail: Reading & { readonly config: { readonly mode: string } },
): Promise<Lacking | null> {
  if (rail.config.mode !== 'live') return null;
  if (!(await haveIndependent(rail, ['admin', 'system_manager']))) return 'operators';
  return (await haveIndependent(rail, ['admin'])) ? null : 'admins';
}

/** True if two active operators with these roles are independent of each other. */
async function haveIndependent(rail: Reading, roles: readonly Role[]): Promise<boolean> {
  const pair = await rail.db.row(sql`
    with operator as (select email from staff where active and roles && ${roles}::text[])
    select 1 from operator one join operator other on one.email < other.email
    where are_independent(array[one.email], array[other.email], ${dependentSince(rail)}) limit 1`);
  return pair !== null;
}
