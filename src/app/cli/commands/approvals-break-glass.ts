import { Command } from 'commander';
import { callByOperator } from '../../../platform/call/operator.ts';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { operateRail } from '../with-rail.ts';

interface Options extends OutputOptions {
  readonly reason: string;
}

export const approvalsBreakGlassCommand = new Command('approvals:break-glass')
  .description('Approve what waits for a second person without one; all admins are told, and an anomaly is raised.')
  .argument('<name>', 'the docname of the request, GRANT-<yyyy>-<6 digits>')
  .requiredOption('--reason <text>', 'why nobody else can approve it')
  .addOption(jsonOption())
  .action(async (id: string, { reason, json }: Options) => {
    await operateRail(async (rail) => {
      const { approveAlone } = await import('../../../collection/approvals/break-glass.ts');
      await import('../../schema.ts');
      const { name, kind, subject, status, askedBy } = await approveAlone(callByOperator(rail), { id, reason });
      print({ name, kind, subject, status, asked_by: askedBy }, { json });
    });
  });
