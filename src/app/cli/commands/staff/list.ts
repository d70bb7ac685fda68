import { Command } from 'commander';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { runWithRail } from '../../with-rail.ts';

export const staffListCommand = new Command('staff:list')
  .description('List the staff, newest first.')
  .addOption(jsonOption())
  .action(async (options: OutputOptions) => {
    await runWithRail(async ({ prisma }) => {
      const rows = await prisma.staff.findMany({ orderBy: { createdAt: 'desc' } });
      print(
        rows.map(({ email, name, roles, agencies, active, createdAt }) => ({
          email,
          name,
          roles,
          agencies,
          active,
          created_at: createdAt,
        })),
        options,
      );
    });
  });
