import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { callByOperator } from '../../../platform/call/operator.ts';
import { ConfigError } from '../../../kernel/refusal.ts';
import { operateRail } from '../with-rail.ts';

export const targetsLoadCommand = new Command('targets:load')
  .description('Set what agencies are to collect in fiscal years, which oversight compares with what they do.')
  .argument(
    '<file>',
    'CSV in UTF-8 with the header agency,fiscal_year,currency,amount, as in URA,2026/27,UGX,1500000000',
  )
  .action(async (path: string) => {
    const { loadTargets, readTargets } = await import('../../../oversight/targets/load.ts');
    const targets = readTargets(readText(path));
    await operateRail(async (rail) => {
      const call = callByOperator(rail);
      const changed = await rail.transaction((db) => loadTargets({ ...call, db }, targets));
      process.stdout.write(`${targets.length} targets, of which ${changed} new or changed\n`);
    });
  });

function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(`${path}: is not UTF-8`);
  }
}
