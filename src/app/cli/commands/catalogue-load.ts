import { Command } from 'commander';
import { readJsonFile } from '../../../kernel/text/json-file.ts';
import { ConfigError, reasonOf } from '../../../kernel/refusal.ts';
import { callByOperator } from '../../../platform/call/operator.ts';
import { operateRail } from '../with-rail.ts';

export const catalogueLoadCommand = new Command('catalogue:load')
  .description(
    'Bring agencies and services in line with a country profile, or, in a sandbox, with those that come with the rail.',
  )
  .option('--file <path>', 'a country profile; its form is that of prisma/catalogue/*.json')
  .option('--dry-run', 'print what would change, and change nothing')
  .option(
    '--alone <reason>',
    'change what takes two people on a live rail: an anomaly is raised, and all admins are told why',
  )
  .action(async ({ file, dryRun = false, alone }: { file?: string; dryRun?: boolean; alone?: string }) => {
    const { loadCatalogue } = await import('../../../collection/catalogue/loading/operate.ts');
    const { readShippedProfiles } = await import('../../../collection/catalogue/loading/profile.ts');
    const profiles: readonly unknown[] = file ? [readProfile(file)] : readShippedProfiles();
    await operateRail(async (rail) => {
      if (!file && rail.config.mode === 'live')
        throw new ConfigError('--file: needed in live mode; the profiles that come with the rail are examples');
      const call = callByOperator(rail);
      for (const profile of profiles) {
        const { country, agencies, services, changes } = await loadCatalogue(call, { profile, dryRun, alone });
        if (dryRun) for (const change of changes) process.stdout.write(`${JSON.stringify(change)}\n`);
        process.stdout.write(`${country}: ${agencies} agencies, ${services} services, ${changes.length} changes\n`);
      }
    });
  });

function readProfile(file: string): unknown {
  try {
    return readJsonFile(file);
  } catch (error) {
    throw new ConfigError(`${file}: ${reasonOf(error)}`);
  }
}
