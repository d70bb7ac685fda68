import type { Call } from '../../platform/call/call.ts';
import type { Page } from '../../platform/reading/page.ts';
import { listDeliveries } from '../../accounts/webhooks/find.ts';
import { listLiveRequests } from '../../accounts/integrators/going-live/find.ts';
import { listApprovals } from '../../collection/approvals/find.ts';
import { listIntegrationStatuses } from '../../collection/agencies/integrations.ts';
import { listAccountChanges } from '../../collection/catalogue/accounts/find.ts';
import { listPropagations } from '../../collection/propagation/find.ts';

/** Matters that need attention, part by part, each counted as far as lists are counted. */
export const OVERVIEW = {
  deadPropagations: (call: Call) => countOf(listPropagations(call, { status: 'dead' }, ONE)),
  deadDeliveries: (call: Call) => countOf(listDeliveries(call, { status: 'dead' }, ONE)),
  liveRequests: (call: Call) => countOf(listLiveRequests(call, { status: 'Pending' }, ONE)),
  approvals: (call: Call) => countOf(listApprovals(call, { status: 'Pending' }, ONE)),
  accountChanges: (call: Call) => countOf(listAccountChanges(call, { status: 'Pending' }, ONE)),
} as const;

/** A list is counted together with a page of it. */
const ONE = { first: 1 };

async function countOf(list: Promise<Page<unknown>>): Promise<number> {
  return (await list).count();
}

/** Outside connections that are unavailable at present: a country, and a channel or an authority. */
export async function listUnavailable(call: Call): Promise<string[]> {
  const statuses = await listIntegrationStatuses(call);
  return statuses.filter(({ status }) => status === 'unavailable').map(({ country, part }) => `${country} ${part}`);
}
