import { Command } from 'commander';
import { ADMIN } from '../../platform/config/started-by.ts';
import { Refusal, ConfigError } from '../../kernel/refusal.ts';
import { approvalsBreakGlassCommand } from './commands/approvals-break-glass.ts';
import { auditArchiveCommand } from './commands/audit/archive.ts';
import { auditReadCommand } from './commands/audit/read.ts';
import { catalogueLoadCommand } from './commands/catalogue-load.ts';
import { backupCommand } from './commands/database/backup.ts';
import { migrateCommand } from './commands/database/migrate.ts';
import { restoreCommand } from './commands/database/restore.ts';
import { datasetsWriteCommand } from './commands/datasets-write.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { integratorListCommand } from './commands/integrator-list.ts';
import { keyIssueCommand } from './commands/keys/key-issue.ts';
import { receiptKeyRollCommand } from './commands/keys/receipt-key-roll.ts';
import { signingKeyRollCommand } from './commands/keys/signing-key-roll.ts';
import { ledgerVerifyCommand } from './commands/ledger-verify.ts';
import { receiptVerifyCommand } from './commands/receipt-verify.ts';
import { seedHistoryCommand } from './commands/seed-history.ts';
import { staffAddCommand } from './commands/staff/add.ts';
import { staffInviteCommand } from './commands/staff/invite.ts';
import { staffListCommand } from './commands/staff/list.ts';
import {
  staffDeactivateCommand,
  staffReactivateCommand,
  staffResetSecondFactorCommand,
} from './commands/staff/moves.ts';
import { staffRolesCommand } from './commands/staff/roles.ts';
import { targetsLoadCommand } from './commands/targets-load.ts';
import { tosRolloverCommand } from './commands/tos-rollover.ts';

const program = new Command(ADMIN).description(
  'Operate a rail: the same DATA_DIR or DATABASE_URL, while it runs or not.',
);
for (const command of [
  keyIssueCommand,
  integratorListCommand,
  catalogueLoadCommand,
  staffAddCommand,
  staffListCommand,
  staffInviteCommand,
  staffRolesCommand,
  staffDeactivateCommand,
  staffReactivateCommand,
  staffResetSecondFactorCommand,
  approvalsBreakGlassCommand,
  targetsLoadCommand,
  tosRolloverCommand,
  signingKeyRollCommand,
  doctorCommand,
  receiptKeyRollCommand,
  receiptVerifyCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  auditReadCommand,
  auditArchiveCommand,
  seedHistoryCommand,
  exportCommand,
  datasetsWriteCommand,
  ledgerVerifyCommand,
])
  program.addCommand(command);

/** Runs the command that was asked for. */
export async function run(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${complaintOf(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * One line of what the operator of the command can fix: a file, an address, an input; of anything else, where it was.
 */
function complaintOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Refusal || error instanceof ConfigError || error.name === 'GraphQLError') return error.message;
  // Errors of the system or the database, such as ENOENT and ECONNREFUSED. If several addresses refuse, there is no
  // message.
  if ('code' in error) return error.message || String(error.code);
  return error.stack ?? error.message;
}
