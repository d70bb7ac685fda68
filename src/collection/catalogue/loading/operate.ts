import type { Call } from '../../../platform/call/call.ts';
import type { Operated } from '../../../platform/audit/operation.ts';
import { Docnames } from '../../../platform/database/docnames.ts';
import { sql } from '../../../platform/database/sql.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { type LoadedProfile, type LoadingOptions, loadProfile } from './load.ts';
import { requireProfile } from './profile.ts';

/**
 * Brings the catalogue in line with a profile that an operator hands in, or says what that would change. On the command
 * line accounts are set as the profile has them; from the console they are asked for.
 */
export async function loadCatalogue(
  call: Call,
  input: { readonly profile?: unknown; readonly dryRun: boolean },
): Promise<LoadedProfile> {
  const profile = requireProfile(input.profile);
  const { viewer, requestId, now, once, docnames } = call;
  const operator = { viewer, requestId, now, once };
  const options: LoadingOptions = {
    dryRun: input.dryRun,
    accounts: viewer.kind === 'system' ? 'set' : 'ask',
    fees: takesApproval(call) ? 'refuse' : 'set',
  };
  if (options.dryRun) return loadProfile({ ...operator, db: call.db, docnames }, profile, options);
  // Numbers of this transaction's own: those of another connection would be used up by a try that fails.
  const loaded = await call.transaction((db) =>
    loadProfile({ ...operator, db, docnames: new Docnames(db) }, profile, options),
  );
  // A first catalogue of thousands of services is planned for at once. A role that owns no tables is told that it may not.
  await call.db.rows(sql`analyze country, mda, service, service_fee`);
  return loaded;
}

/** What an earlier try of the request changed, as the operators' audit has it. */
export async function loadedBefore({ db, viewer, once }: Call, country: string): Promise<LoadedProfile> {
  const rows = await db.rows<Operated>(sql`
    select action, subject, before, after, reason from operator_audit
    where actor = ${viewer.actor} and request_id = ${once!.requestId} order by id`);
  const whole = rows.find(({ action }) => action === 'catalogue.load');
  const { agencies = 0, services = 0 } = (whole?.after ?? {}) as { agencies?: number; services?: number };
  return { country, dryRun: false, agencies, services, changes: rows.filter((row) => row !== whole) };
}
