import { Command } from 'commander';
import { callByOperator } from '../../../../platform/call/operator.ts';
import { readText } from '../../../../kernel/text/free-text.ts';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { operateRail } from '../../with-rail.ts';

interface Options extends OutputOptions {
  readonly reason?: string;
}

export const receiptKeyRollCommand = new Command('receipt-key:roll')
  .description(
    'Sign receipts with a new key from now on. What the former one signed stays valid, and its public half is published for good.',
  )
  .option('--reason <text>', 'why, for the audit trail')
  .addOption(jsonOption())
  .action(async ({ reason, json }: Options) => {
    await operateRail(async (rail) => {
      const { rollSigningKey } = await import('../../../../platform/access/tokens/signing-keys.ts');
      const roll = await rollSigningKey(callByOperator(rail), 'receipt', { reason: readText('reason', reason) });
      print({ kid: roll.kid, previous: roll.previous, previous_until: roll.previousUntil.toISOString() }, { json });
    });
  });
