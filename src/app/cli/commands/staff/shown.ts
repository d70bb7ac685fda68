import { randomUUID } from 'node:crypto';
import type { StaffUser } from '../../../../counter/staff/find.ts';
import { commandLine } from '../../../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../../../platform/call/call.ts';

/** What an operator does at the machine itself, whom nobody has to approve. */
export function callFromCommandLine(rail: Rail): Call {
  return callOf(rail, commandLine, randomUUID());
}

/** A member of staff as commands print them. */
export function showStaff({ email, fullName, roles, agencies, status, hasSecondFactor }: StaffUser) {
  return { email, name: fullName, roles, agencies, status, second_factor: hasSecondFactor };
}
