import { Command } from 'commander';
import { DAY_MS } from '../../../../kernel/time.ts';
import { ConfigError } from '../../../../kernel/refusal.ts';
import { parseDay } from '../../options.ts';
import { type OutputOptions, write } from '../../output.ts';
import { runWithRail } from '../../with-rail.ts';

interface Options extends OutputOptions {
  readonly from: Date;
  readonly to: Date;
  readonly integrator?: string;
}

export const auditReadCommand = new Command('audit:read')
  .description('Print the audit log of some days in the order of time, archived months included: a JSON object a line.')
  .requiredOption('--from <date>', 'the first day (UTC), YYYY-MM-DD', parseDay)
  .requiredOption('--to <date>', 'the last day (UTC), YYYY-MM-DD', parseDay)
  .option('--integrator <code>', 'only the requests of this integrator')
  .option('--json', 'print one JSON array instead')
  .action(async ({ from, to, integrator, json }: Options) => {
    if (to < from) throw new ConfigError('--to: is before --from');
    const span = { from, to: new Date(to.getTime() + DAY_MS), integrator: integrator ?? null };
    await runWithRail(async (rail) => {
      const { readAudit } = await import('../../../../platform/audit/read.ts');
      let lead = json ? '[' : '';
      for await (const entry of readAudit(rail, span)) {
        await write(`${lead}${JSON.stringify(entry)}`);
        lead = json ? ',\n' : '\n';
      }
      await write(json ? `${lead === '[' ? '[' : ''}]\n` : lead);
    });
  });
