import { Command } from 'commander';
import { runWithRail } from '../../with-rail.ts';

export const auditArchiveCommand = new Command('audit:archive')
  .description(
    'Move months of the audit log that are over for 90 days to DATA_DIR/archive, as the nightly job does; with a DATABASE_URL of the role that owns the database.',
  )
  .action(() =>
    runWithRail(async (rail) => {
      const { archiveMonths } = await import('../../../../platform/audit/archive.ts');
      process.stdout.write(`${await archiveMonths(rail)} months archived\n`);
    }),
  );
