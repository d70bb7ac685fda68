import { Command } from 'commander';
import { approveAlone } from '../../../collection/approvals/break-glass.ts';
import '../../schema.ts';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { runWithRail } from '../with-rail.ts';
import { callFromCommandLine } from './staff/shown.ts';

interface Options extends OutputOptions {
  readonly reason: string;
}

export const approvalsBreakGlassCommand = new Command('approvals:break-glass')
  .description('Approve what waits for a second person without one; all admins are told, and an anomaly is raised.')
  .argument('<name>', 'the docname of the request, GRANT-<yyyy>-<6 digits>')
  .requiredOption('--reason <text>', 'why nobody else can approve it')
  .addOption(jsonOption())
  .action(async (id: string, { reason, json }: Options) => {
    await runWithRail(async (rail) => {
      const { name, kind, subject, status, askedBy } = await approveAlone(callFromCommandLine(rail), { id, reason });
      print({ name, kind, subject, status, asked_by: askedBy }, { json });
    });
  });
