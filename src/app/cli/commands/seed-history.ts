import { Command } from 'commander';
import { ConfigError } from '../../../kernel/refusal.ts';
import type { HistoryOptions } from '../../../sandbox/history.ts';
import { parseCount } from '../options.ts';
import { runWithRail } from '../with-rail.ts';

export const seedHistoryCommand = new Command('seed:history')
  .description(
    'Fill a sandbox with a history of payments that could have been, for trying oversight out. It makes people up.',
  )
  .option('--events <number>', 'how many payment events, about', parseCount, 100_000)
  .option('--years <number>', 'over how many years up to today', parseCount, 3)
  .option('--agencies <number>', 'how many agencies there are to be', parseCount, 60)
  .option(
    '--whole',
    'also make up what a rail writes besides payments: integrators, counters, traces, logs, messages, seals',
  )
  .option('--seed <number>', 'the same number makes the same history', parseCount, 1)
  .action(async (options: HistoryOptions) => {
    await runWithRail(async (rail) => {
      if (rail.config.mode === 'live') throw new ConfigError('MODE: a live rail gets no made-up history');
      const { seedHistory } = await import('../../../sandbox/history.ts');
      const started = Date.now();
      for await (const { done } of seedHistory({ ...rail, ...rail.background }, options)) {
        const seconds = Math.round((Date.now() - started) / 1_000);
        process.stdout.write(`${done}, ${seconds} s\n`);
      }
      if (!options.whole)
        process.stdout.write('A running rail seals them by and by; ledger:verify says how far it is.\n');
    });
  });
