import type { Call } from '../../../platform/call/call.ts';
import type { Operated } from '../../../platform/change/operation.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { Docnames } from '../../../platform/database/docnames.ts';
import { sql } from '../../../platform/database/sql.ts';
import { LONGEST_REASON, readText } from '../../../kernel/text/free-text.ts';
import { reportAlone } from '../../approvals/alone.ts';
import { type LoadedProfile, type LoadingOptions, findTerm, loadProfile } from './load.ts';
import { requireProfile } from './profile.ts';

/**
 * Brings the catalogue in line with a profile that an operator hands in, or says what that would change. Accounts are
 * asked for, unless the operator is at the machine itself. On a live rail nothing is set that takes two people. At the
 * machine it is, of what is new, and of all where the operator says why they do it `alone`; all admins get mail of it.
 */
export async function loadCatalogue(
  call: Call,
  input: { readonly profile?: unknown; readonly dryRun: boolean; readonly alone?: string | undefined },
): Promise<LoadedProfile> {
  const profile = requireProfile(input.profile);
  const { viewer, requestId, now, once, docnames } = call;
  const reason = readText('alone', input.alone, LONGEST_REASON);
  const operator = { viewer, requestId, now, once };
  const isLive = call.config.mode === 'live';
  const sets = viewer.kind !== 'system' ? 'nothing' : isLive && reason === null ? 'new' : 'all';
  const options: LoadingOptions = { dryRun: input.dryRun, accounts: sets, terms: isLive ? sets : 'all' };
  if (options.dryRun) return loadProfile({ ...operator, db: call.db, docnames }, profile, options);
  const loaded = await call.rail.transaction(async (db) => {
    // Numbers of this transaction's own: those of another connection would be used up by a try that fails.
    const within = { ...call, db, docnames: new Docnames(db) };
    const { changes, ...rest } = await loadProfile({ ...operator, db, docnames: within.docnames }, profile, options);
    const set = changes.filter(findTerm).map(({ action, subject }) => `${action} ${subject}`);
    const operated = { action: 'catalogue.load', subject: rest.country, before: null, after: { changes: set }, reason };
    if (set.length > 0)
      await commit(within, { subject: null, guard: always, steps: await reportAlone(within, always, operated) });
    return { ...rest, changes };
  });
  // A first catalogue of thousands of services is planned for at once. A role that owns no tables is told that it may not.
  await call.db.rows(sql`analyze country, mda, service, service_fee`);
  return loaded;
}

/** Changes of an earlier try of the request, from the operators' audit. */
export async function loadedBefore({ db, viewer, once }: Call, country: string): Promise<LoadedProfile> {
  const rows = await db.rows<Operated>(sql`
    select action, subject, before, after, reason from operator_audit
    where actor = ${viewer.actor} and request_id = ${once!.requestId} order by id`);
  const whole = rows.find(({ action }) => action === 'catalogue.load');
  const { agencies = 0, services = 0 } = (whole?.after ?? {}) as { agencies?: number; services?: number };
  return { country, dryRun: false, agencies, services, changes: rows.filter((row) => row !== whole) };
}
