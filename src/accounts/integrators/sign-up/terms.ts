import type { Tools } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

export interface Terms {
  readonly version: string;
  readonly summary: string;
  readonly documentUrl: string;
}

const SUMMARY =
  'Test freely: sandbox payments and identities are simulated. Keep keys secret, do not send personal data of real people, and expect the sandbox to be reset from time to time.';

/** The terms that a sign-up has to accept now. */
export function currentTermsOf({ config, origin }: Tools): Terms {
  return { version: config.tosVersion, summary: SUMMARY, documentUrl: `${origin}/terms` };
}

/** Refuses another version than the one that is offered. */
export function requireCurrentTerms({ config }: Tools, accepted: string): string {
  if (accepted !== config.tosVersion)
    throw refuseValue('tosAcceptedVersion', say`must be ${config.tosVersion}, the version returned by \`terms\``);
  return accepted;
}

/**
 * Makes the current version count for sign-ups under way too: those that accepted another one have to sign up again. A
 * new version alone does not affect them. Returns their number.
 */
export async function rollOverTerms({ db, config, now }: Tools): Promise<number> {
  const rows = await db.rows(sql`
    update integrator set tos_voided_at = ${now()}, otp_hash = null, otp_expires_at = null, updated_at = ${now()}
    where status = 'PendingEmail' and tos_voided_at is null and tos_version is distinct from ${config.tosVersion}
    returning 1`);
  return rows.length;
}
