import { Command } from 'commander';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { runWithRail } from '../with-rail.ts';

export const integratorListCommand = new Command('integrator:list')
  .description('List the integrators, newest first.')
  .addOption(jsonOption())
  .action(async (options: OutputOptions) => {
    await runWithRail(async ({ prisma }) => {
      const { DEFAULT_ENDPOINT } = await import('../../../accounts/events/owner.ts');
      const rows = await (
        await prisma()
      ).integrator.findMany({
        where: { code: { not: DEFAULT_ENDPOINT } },
        omit: { otpHash: true, network: true },
        orderBy: { createdAt: 'desc' },
        include: { _count: { select: { keys: true } } },
      });
      print(
        rows.map(({ code, organisation, contactEmail, tier, status, createdAt, _count }) => ({
          code,
          organisation,
          contact_email: contactEmail,
          tier,
          status,
          keys: _count.keys,
          created_at: createdAt,
        })),
        options,
      );
    });
  });
