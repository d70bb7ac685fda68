import { Command } from 'commander';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { runWithRail } from '../with-rail.ts';

interface Options extends OutputOptions {
  readonly heads?: string;
}

export const ledgerVerifyCommand = new Command('ledger:verify')
  .description(
    'Recompute every chain of seals, verify receipts, and compare payments, references, money received, messages and approvals; names what does not fit, ends with 1 where anything does not, and says what it cannot prove.',
  )
  .option(
    '--heads <path>',
    'JSON that was kept outside: the answer of GET /v1/oversight/seals or of GET /v1/ops/log-seals, or what this printed with --json',
  )
  .addOption(jsonOption())
  .action(async ({ heads: path, ...output }: Options) => {
    const { readHeads } = await import('../../../oversight/seals/heads.ts');
    const { formatChain, formatFindings, formatVerification } = await import('../../../oversight/seals/report.ts');
    const { verifyLedger } = await import('../../../oversight/seals/verify.ts');
    const heads = path === undefined ? [] : readHeads(path);
    await runWithRail(async (rail) => {
      const say = (line: string) => void (output.json || process.stdout.write(`${line}\n`));
      const verification = await verifyLedger(rail, heads, (report) => say(formatChain(report)));
      for (const line of formatFindings(verification)) say(line);
      if (output.json) print(formatVerification(verification), output);
      if (!verification.right) process.exitCode = 1;
    });
  });
