import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { ReceiptContents } from '../../../collection/receipts/payload.ts';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { runWithRail } from '../with-rail.ts';

interface Options extends OutputOptions {
  readonly keys?: string;
}

export const receiptVerifyCommand = new Command('receipt:verify')
  .description(
    'Say how a receipt stands; ends with 1 unless it is valid. With --keys it asks no database, and says only whether the rail issued it.',
  )
  .argument('<file>', 'the receipt: its text, the address of its QR code, or its JSON')
  .option('--keys <path>', 'JSON that was kept: the answer of GET /.well-known/receipt-keys.json')
  .addOption(jsonOption())
  .action(async (file: string, { keys: path, json }: Options) => {
    const { readShown, checkOffline } = await import('../../../collection/receipts/shown.ts');
    const signed = readShown(readFileSync(file, 'utf8'));
    const say = (state: string, more: object) => {
      print({ state, ...more }, { json });
      if (state !== 'valid' && state !== 'genuine') process.exitCode = 1;
    };
    if (path !== undefined) {
      const contents = checkOffline(readFileSync(path, 'utf8'), signed);
      return say(contents ? 'genuine' : 'forged', contents ? summaryOf(contents) : {});
    }
    return runWithRail(async (rail) => {
      const { verifyReceipt } = await import('../../../collection/receipts/verify.ts');
      const { state, contents, replacedBy } = await verifyReceipt(rail, { ...signed });
      say(state, { ...(contents && summaryOf(contents)), ...(replacedBy && { replaced_by: replacedBy }) });
    });
  });

/** Summary of a receipt, for a clerk to compare with the one that somebody shows. */
function summaryOf({ name, kind, paidAt, currency, payerInitials, agencies }: ReceiptContents) {
  return {
    name,
    kind,
    paid_at: paidAt.toISOString(),
    payer: payerInitials,
    received: agencies.map(({ mda, amount }) => `${mda} ${currency} ${amount.toFixed()}`).join(', '),
  };
}
