import { AdapterFailure } from '../../adapters/failure.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type AgencyEndpoint, getAgencyEndpoint } from './find.ts';

/** What a read is asked for; nobody has to have it. A write gets an empty body, which an agency has to refuse. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'business-search': { name: 'probe' },
  'tin-verify': { tin: '0000000000' },
  'nin-verify': { nin: 'CM00000000000X' },
  'property-lookup': { plot: 'probe' },
  'member-balance': { member: 'probe' },
  'standards-certificate': { number: 'probe' },
  'facilities-search': { name: 'probe' },
};

/** Calls an agency's endpoint, and keeps what came of it: whether it answers, and takes the rail for whom it is. */
export async function probeAgencyEndpoint(call: Call, id: string): Promise<AgencyEndpoint> {
  const endpoint = await getAgencyEndpoint(call, id);
  const connection = call.agencies.statusOf(endpoint.agencyKind);
  if (connection === 'unconnected')
    throw new Refusal('validation_failed', `No ${endpoint.agencyKind} is connected; name one in CONNECTIONS`);
  const started = performance.now();
  const status = await outcomeOf(call, id);
  const ms = Math.round(performance.now() - started);
  const changed = guard`update agency_endpoint set probed_at = ${call.now()}, probe_status = ${status}, probe_ms = ${ms} where id = ${id} returning id`;
  const before = { last_probe_status: endpoint.probeStatus };
  const operated = {
    action: 'agency_endpoint.probe',
    subject: id,
    before,
    after: { last_probe_status: status },
    reason: null,
  };
  await commit(call, { subject: id, guard: changed, operated });
  return getAgencyEndpoint(call, id);
}

async function outcomeOf({ agencies }: Call, id: string): Promise<string> {
  try {
    const sample = SAMPLES[id];
    const { status } = await agencies.ask(id, sample ? { query: sample } : { body: {} });
    if (status === 401 || status === 403) return `refused (${status})`;
    return status >= 500 || status === 429 ? `failed (${status})` : 'ok';
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    return error.kind;
  }
}
