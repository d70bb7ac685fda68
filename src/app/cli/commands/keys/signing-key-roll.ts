import { Command } from 'commander';
import { callByOperator } from '../../../../platform/call/operator.ts';
import { readText } from '../../../../kernel/text/free-text.ts';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';

interface Options extends OutputOptions {
  readonly atOnce?: boolean;
  readonly reason?: string;
}

export const signingKeyRollCommand = new Command('signing-key:roll')
  .description(
    'Sign tokens of agencies with a new key. The former one stays published until its tokens are over, 15 minutes.',
  )
  .option('--at-once', 'end the tokens of the former key too, where it may have got out')
  .option('--reason <text>', 'why, for the audit trail')
  .addOption(jsonOption())
  .action(async ({ atOnce = false, reason, json }: Options) => {
    await operateRail(async (rail) => {
      const { rollSigningKey } = await import('../../../../platform/access/tokens/signing-keys.ts');
      const call = callByOperator(rail);
      const { kid, previous, previousUntil } = await rollSigningKey(call, 'token', {
        atOnce,
        reason: readText('reason', reason),
      });
      print({ kid, previous, previous_until: previousUntil.toISOString() }, { json });
    });
  });
