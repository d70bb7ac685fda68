import { Command } from 'commander';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { givenEnvironment } from '../with-rail.ts';

/** After how long it is said that it takes a while. */
const PATIENCE_MS = 3_000;
const CODES = { ok: 0, failed: 1, warning: 2 } as const;

export const doctorCommand = new Command('doctor')
  .description(
    'Check the configuration, the database, mail, connections, certificates, disk, secrets and backups, and say what to do; changes nothing. Ends with 0 where all is right, 1 where something failed, 2 where there are warnings alone.',
  )
  .addOption(jsonOption())
  .action(async ({ json }: OutputOptions) => {
    const { examineRail } = await import('../doctor/doctor.ts');
    const say = () => process.stderr.isTTY && process.stderr.write('Still checking; 20 s at most\n');
    const patience = setTimeout(say, PATIENCE_MS);
    const checks = await examineRail(givenEnvironment()).finally(() => clearTimeout(patience));
    const count = (status: string) => checks.filter((check) => check.status === status).length;
    const worst = count('failed') > 0 ? 'failed' : count('warning') > 0 ? 'warning' : 'ok';
    process.exitCode = CODES[worst];
    if (json) return print({ status: worst, checks }, { json });
    for (const { check, status, found, advice } of checks)
      process.stdout.write(`${status.padEnd(8)} ${check}: ${found}${advice === null ? '' : `. ${advice}.`}\n`);
    process.stdout.write(`${count('ok')} right, ${count('warning')} warnings, ${count('failed')} failed\n`);
  });
