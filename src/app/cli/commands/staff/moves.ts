import { Command } from 'commander';
import type { StaffUser } from '../../../../identity/staff/find.ts';
import { callByOperator } from '../../../../platform/call/operator.ts';
import type { Reasoned } from '../../../../identity/members/leave.ts';
import type { Call } from '../../../../platform/call/call.ts';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';
import { showStaff } from './shown.ts';

interface Options extends OutputOptions {
  readonly email: string;
  readonly reason: string;
}

/** A command that does something to a member of staff for a reason. */
function makeCommand(
  name: string,
  description: string,
  load: () => Promise<(call: Call, input: Reasoned) => Promise<StaffUser>>,
) {
  return new Command(name)
    .description(description)
    .requiredOption('--email <address>', 'whom')
    .requiredOption('--reason <text>', 'why')
    .addOption(jsonOption())
    .action(async ({ email: id, reason, json }: Options) => {
      await operateRail(async (rail) => {
        const move = await load();
        print(showStaff(await move(callByOperator(rail), { id, reason })), { json });
      });
    });
}

export const staffDeactivateCommand = makeCommand(
  'staff:deactivate',
  'Keep a member of staff out, at once; their sessions end.',
  async () => (await import('../../../../identity/members/leave.ts')).deactivateStaff,
);
export const staffReactivateCommand = makeCommand(
  'staff:reactivate',
  'Let a deactivated member of staff log in again.',
  async () => (await import('../../../../identity/members/leave.ts')).reactivateStaff,
);
export const staffResetSecondFactorCommand = makeCommand(
  'staff:reset-second-factor',
  'Remove the second factor of a member of staff who has lost it; their sessions end.',
  async () => (await import('../../../../identity/members/reset.ts')).resetSecondFactor,
);
