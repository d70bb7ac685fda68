import type { Viewer } from '../../platform/access/viewer.ts';
import type { Role } from '../../platform/access/needs.ts';
import { forbidBecause } from '../../kernel/refusal.ts';

/** Roles that only admins may give, and whose holders only admins may manage. */
const FOR_ADMINS: readonly Role[] = ['admin', 'system_manager'];

/** The operator at the machine itself, whom nobody has to approve. */
export function isCommandLine({ kind }: Viewer): boolean {
  return kind === 'system';
}

/** Refuses operators to do to themselves what others have to. */
export function refuseOwnAccount({ actor }: Viewer, email: string): void {
  if (actor === email)
    throw forbidBecause('own_account', 'Nobody can do this to their own account; ask another operator', 'email');
}

/**
 * Refuses system managers access to admins and system managers, present or proposed: those are for admins to manage.
 */
export function requireAuthority(viewer: Viewer, roles: readonly string[]): void {
  if (isCommandLine(viewer)) return;
  if (!viewer.roles.has('admin') && FOR_ADMINS.some((role) => roles.includes(role)))
    throw forbidBecause('admins_only', 'Only admins manage admins and system managers', 'roles');
}
