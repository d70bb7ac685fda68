import { Command } from 'commander';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { runWithRail } from '../../with-rail.ts';

export const staffListCommand = new Command('staff:list')
  .description('List the staff, newest first.')
  .addOption(jsonOption())
  .action(async (options: OutputOptions) => {
    await runWithRail(async ({ prisma }) => {
      const rows = await (
        await prisma()
      ).staff.findMany({
        select: { email: true, name: true, roles: true, agencies: true, active: true, createdAt: true },
        orderBy: { createdAt: 'desc' },
      });
      print(
        rows.map(({ createdAt, ...member }) => ({ ...member, created_at: createdAt })),
        options,
      );
    });
  });
