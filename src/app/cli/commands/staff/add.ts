import { Command } from 'commander';
import { ROLES } from '../../../../platform/access/needs.ts';
import { addTo, jsonOption, parseList } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';

interface Options extends OutputOptions {
  readonly email: string;
  readonly name: string;
  readonly role: readonly string[];
  readonly agency?: readonly string[];
  readonly password?: string;
  readonly breakGlass?: boolean;
}

export const staffAddCommand = new Command('staff:add')
  .description(
    'Make a member of staff, or give one new roles, agencies, name and password; what sessions they have end.',
  )
  .requiredOption('--email <address>', 'what they log in by')
  .requiredOption('--name <text>', 'what they are called')
  .requiredOption('--role <list>', `comma-separated, of ${ROLES.join(', ')}`, parseList)
  .option('--agency <code>', 'bound to this agency; may be given several times. Left out: all agencies', addTo)
  .option('--password <text>', 'at least 12 characters; left out, one is made up and shown this once')
  .option('--break-glass', 'for emergencies: may log in by password although staff sign in at an identity provider')
  .addOption(jsonOption())
  .action(async ({ role: roles, agency: agencies, json, ...member }: Options) => {
    await operateRail(async (rail) => {
      const { addStaff } = await import('../../../../identity/members/add.ts');
      const { password, ...added } = await addStaff(rail, { ...member, roles, agencies });
      print({ ...added, ...(password !== null && { password }) }, { json });
    });
  });
