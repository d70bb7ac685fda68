import { Command } from 'commander';
import { callByOperator } from '../../../../platform/call/operator.ts';
import { ROLES } from '../../../../platform/access/needs.ts';
import { addTo, jsonOption, parseList } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';
import { showStaff } from './shown.ts';

interface Options extends OutputOptions {
  readonly email: string;
  readonly name: string;
  readonly role: readonly string[];
  readonly agency?: readonly string[];
}

export const staffInviteCommand = new Command('staff:invite')
  .description('Invite a member of staff by e-mail, who then chooses a password; the link works once, within 24 hours.')
  .requiredOption('--email <address>', 'where the invitation goes, and what they log in by')
  .requiredOption('--name <text>', 'what they are called')
  .requiredOption('--role <list>', `comma-separated, of ${ROLES.join(', ')}`, parseList)
  .option('--agency <code>', 'bound to this agency; may be given several times. Left out: all agencies', addTo)
  .addOption(jsonOption())
  .action(async ({ role: roles, agency: agencies, json, ...member }: Options) => {
    await operateRail(async (rail) => {
      const { inviteStaff } = await import('../../../../identity/members/invite.ts');
      print(showStaff(await inviteStaff(callByOperator(rail), { ...member, roles, agencies })), { json });
    });
  });
