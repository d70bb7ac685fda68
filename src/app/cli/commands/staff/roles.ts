import { Command } from 'commander';
import { callByOperator } from '../../../../platform/call/operator.ts';
import { ROLES } from '../../../../platform/access/needs.ts';
import { addTo, jsonOption, parseList } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';
import { showStaff } from './shown.ts';

interface Options extends OutputOptions {
  readonly email: string;
  readonly role: readonly string[];
  readonly agency?: readonly string[];
  readonly reason?: string;
}

export const staffRolesCommand = new Command('staff:roles')
  .description('Give a member of staff other roles, and bind them to other agencies.')
  .requiredOption('--email <address>', 'whom')
  .requiredOption('--role <list>', `all roles they are to have: comma-separated, of ${ROLES.join(', ')}`, parseList)
  .option('--agency <code>', 'bound to this agency; may be given several times. Left out: as before; *: all', addTo)
  .option('--reason <text>', 'why')
  .addOption(jsonOption())
  .action(async ({ email: id, role: roles, agency: agencies, reason, json }: Options) => {
    await operateRail(async (rail) => {
      const { updateStaff } = await import('../../../../identity/members/update.ts');
      print(showStaff(await updateStaff(callByOperator(rail), { id, roles, agencies, reason })), { json });
    });
  });
