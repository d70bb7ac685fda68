import type { StaffUser } from '../../../../identity/staff/find.ts';

/** A member of staff as commands print them. */
export function showStaff({ email, fullName, roles, agencies, status, hasSecondFactor }: StaffUser) {
  return { email, name: fullName, roles, agencies, status, second_factor: hasSecondFactor };
}
