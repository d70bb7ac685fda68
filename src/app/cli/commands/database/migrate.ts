import { Command } from 'commander';
import { runWithDatabase } from '../../with-rail.ts';

export const migrateCommand = new Command('migrate')
  .description(
    'Bring the database to this version, and give the role rail_runtime what it may do; with a DATABASE_URL of the role that owns it.',
  )
  .option('--contract', 'drop what the version before uses: from then on there is no way back to it')
  .action(({ contract }: { contract?: true }) =>
    runWithDatabase(async (url) => {
      const { listWaiting } = await import('../../../../platform/database/migration/contract.ts');
      const { migrate } = await import('../../../../platform/database/migration/migrate.ts');
      const applied = await migrate(url, undefined, { contract });
      for (const name of applied) process.stdout.write(`${name}\n`);
      process.stdout.write(`${applied.length} migrations and definitions applied\n`);
      for (const name of await listWaiting(url))
        process.stdout.write(`${name} waits for migrate --contract, once no process of the version before runs\n`);
    }),
  );
