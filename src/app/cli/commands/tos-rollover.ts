import { Command } from 'commander';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { operateRail } from '../with-rail.ts';

export const tosRolloverCommand = new Command('tos:rollover')
  .description(
    'Make TOS_VERSION count for sign-ups under way too: those that accepted another version have to sign up again.',
  )
  .addOption(jsonOption())
  .action(async (options: OutputOptions) => {
    await operateRail(async (rail) => {
      const { rollOverTerms } = await import('../../../accounts/integrators/sign-up/terms.ts');
      print({ version: rail.config.tosVersion, voided: await rollOverTerms(rail) }, options);
    });
  });
