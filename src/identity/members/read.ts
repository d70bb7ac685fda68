import { ROLES, type Role, isRole } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { refuseUnknownAgencies } from './add.ts';
import { say } from '../../kernel/text/said.ts';

/** Roles as operators give them, each once and in the order in which they are described. */
export function readRoles(roles: readonly string[]): Role[] {
  const unknown = roles.find((role) => !isRole(role));
  if (unknown !== undefined) throw refuseValue('roles', say`must be among ${ROLES.join(', ')}`);
  if (roles.length === 0) throw refuseValue('roles', say`must have at least one role`);
  return ROLES.filter((role) => roles.includes(role));
}

/** Roles whose work is that of all agencies: bound to some, they could do nothing. */
const OF_ALL_AGENCIES: readonly Role[] = ['oversight', 'auditor'];

/** Refuses to bind people to agencies if they could do nothing then. */
export function refuseBound(roles: readonly string[], agencies: readonly string[]): void {
  if (agencies.length > 0 && OF_ALL_AGENCIES.some((role) => roles.includes(role)))
    throw refuseValue('agencies', say`must be empty for the roles oversight and auditor, which are for all agencies`);
}

/** The codes of agencies that somebody is to be bound to; `*` alone, like none at all, stands for every agency. */
export async function readAgencies(call: Call, asked: readonly string[]): Promise<string[]> {
  const agencies = [...new Set(asked)].toSorted();
  if (agencies.length === 1 && agencies[0] === '*') return [];
  await refuseUnknownAgencies(call, agencies);
  return agencies;
}
