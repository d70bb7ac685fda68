import { type Viewer, findRefusal } from '../../../platform/access/viewer.ts';
import { isAccount, maskAccount } from '../../../adapters/http/members.ts';

/**
 * Parts that a viewer may see of a payload that an aggregator was sent or answered: operators see the last four
 * characters of the agencies' collection accounts, and nobody else any.
 */
export function concealFrom(viewer: Viewer, payload: unknown): unknown {
  return concealAccounts(
    payload,
    findRefusal(viewer, 'operations.write') === null ? maskAccount : (account) => '*'.repeat(account.length),
  );
}

function concealAccounts(value: unknown, conceal: (account: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => concealAccounts(entry, conceal));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      isAccount(name, entry) ? conceal(String(entry)) : concealAccounts(entry, conceal),
    ]),
  );
}

/** The author of an action as a viewer may know it: the addresses of staff are for staff. */
export function actorAsShownTo(viewer: Viewer, actor: string): string {
  return viewer.kind !== 'staff' && viewer.kind !== 'system' && actor.includes('@') ? 'staff' : actor;
}
