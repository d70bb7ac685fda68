import type { Role } from '../../platform/access/needs.ts';
import { isRole } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { findStaff } from '../staff/find.ts';

/** The person at the counter; nobody is an answer too. */
export interface Whoami {
  readonly authenticated: boolean;
  readonly email: string | null;
  readonly fullName: string | null;
  readonly roles: readonly Role[] | null;
  readonly scopes: readonly string[] | null;
  readonly agencies: readonly string[] | null;
  readonly secondFactorRequired: boolean | null;
}

const NOBODY: Whoami = {
  authenticated: false,
  email: null,
  fullName: null,
  roles: null,
  scopes: null,
  agencies: null,
  secondFactorRequired: null,
};

export async function identifyCaller(call: Call): Promise<Whoami> {
  const { kind, actor, scopes, mustEnrol } = call.viewer;
  const user = kind === 'staff' ? await findStaff(call, actor) : null;
  if (!user) return NOBODY;
  return {
    authenticated: true,
    email: user.email,
    fullName: user.fullName,
    roles: user.roles.filter(isRole),
    scopes: [...scopes].toSorted(),
    agencies: user.agencies,
    secondFactorRequired: mustEnrol || null,
  };
}
