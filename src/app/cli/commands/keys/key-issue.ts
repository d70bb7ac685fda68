import { Command } from 'commander';
import type { KeyHolder } from '../../../../accounts/integrators/issue-key.ts';
import type { AskedGrants } from '../../../../accounts/keys/grants.ts';
import { KEY_SCOPES } from '../../../../platform/access/needs.ts';
import { ConfigError } from '../../../../kernel/refusal.ts';
import { jsonOption, parseList } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';

interface Options extends AskedGrants, OutputOptions {
  readonly scopes: readonly string[];
  readonly integrator?: string;
  readonly organisation?: string;
  readonly email?: string;
  readonly label?: string;
}

export const keyIssueCommand = new Command('key:issue')
  .description('Issue a bearer key; its plaintext is shown this once.')
  .requiredOption('--scopes <list>', `comma-separated, of ${KEY_SCOPES.join(', ')}`, parseList)
  .option('--integrator <code>', 'an integrator that there is')
  .option('--organisation <name>', 'makes a new, Active integrator; needs --email')
  .option('--email <address>', "the new integrator's contact")
  .option('--label <text>', 'what the key is for')
  .option(
    '--supervises <list>',
    'the agencies whose counters it supervises: codes, comma-separated, or "*" for all',
    parseList,
  )
  .option(
    '--counters <list>',
    'the agencies at whose counters it may take cash: codes, comma-separated, or "*" for all',
    parseList,
  )
  .option('--manages-account', 'it may change the account; the first key of a new one may')
  .addOption(jsonOption())
  .action(async ({ json, integrator, organisation, email, label, scopes, ...grants }: Options) => {
    if (!integrator && !(organisation && email))
      throw new ConfigError('give --integrator, or --organisation with --email');
    const holder: KeyHolder = integrator ? { integrator } : { organisation: organisation!, email: email! };
    await operateRail(async (rail) => {
      const { issueKey } = await import('../../../../accounts/integrators/issue-key.ts');
      const { managesAccount, ...issued } = await issueKey(rail, holder, scopes, label, grants);
      print({ ...issued, manages_account: managesAccount }, { json });
    });
  });
