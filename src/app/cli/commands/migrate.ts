import { Command } from 'commander';
import { runWithDatabase } from '../with-rail.ts';

export const migrateCommand = new Command('migrate')
  .description(
    'Bring the database to this version, and give the role rail_runtime what it may do; with a DATABASE_URL of the role that owns it.',
  )
  .action(() =>
    runWithDatabase(async (url) => {
      const { migrate } = await import('../../../platform/database/migration/migrate.ts');
      const applied = await migrate(url);
      for (const name of applied) process.stdout.write(`${name}\n`);
      process.stdout.write(`${applied.length} migrations and definitions applied\n`);
    }),
  );
