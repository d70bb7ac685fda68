import { AdapterFailure } from '../../../adapters/failure.ts';
import type { Operated } from '../../../platform/change/operation.ts';
import type { Call, Rail } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type AgencyEndpoint, getAgencyEndpoint } from '../find.ts';
import { type Outcome, countProbe } from './days.ts';
import { say } from '../../../kernel/text/said.ts';

/** Objects that reads ask for; nobody has to have them. A write gets an empty body, which an agency has to refuse. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'business-search': { name: 'probe' },
  'tin-verify': { tin: '0000000000' },
  'nin-verify': { nin: 'CM00000000000X' },
  'property-lookup': { plot: 'probe' },
  'member-balance': { member: 'probe' },
  'standards-certificate': { number: 'probe' },
  'facilities-search': { name: 'probe' },
};

/** Calls an agency's endpoint for an operator, and keeps what came of it. */
export async function probeAgencyEndpoint(call: Call, id: string): Promise<AgencyEndpoint> {
  const endpoint = await getAgencyEndpoint(call, id);
  if (endpoint.availability === 'unconnected')
    throw new Refusal('validation_failed', say`No ${endpoint.agencyKind} is connected; name one in CONNECTIONS`);
  await recordProbe(call, id, ({ status }) => ({
    action: 'agency_endpoint.probe',
    subject: id,
    before: { last_probe_status: endpoint.probeStatus },
    after: { last_probe_status: status },
    reason: null,
  }));
  return getAgencyEndpoint(call, id);
}

/**
 * Calls an agency's endpoint, and keeps what came of it, as the last probe and among those of its day: whether it
 * answers, and takes the rail for whom it is.
 */
export async function recordProbe(call: Call, id: string, operatedBy?: (outcome: Outcome) => Operated): Promise<void> {
  const outcome = await probe(call.rail, id);
  const { status, ms } = outcome;
  const changed = guard`update agency_endpoint set probed_at = ${call.now()}, probe_status = ${status}, probe_ms = ${ms} where id = ${id} returning id`;
  const steps = [countProbe(call, id, outcome, changed)];
  const operated = operatedBy?.(outcome);
  await commit(call, { subject: id, guard: changed, steps, ...(operated && { operated }) });
}

/** Calls an endpoint, with what nobody has. */
export async function probe({ agencies }: Pick<Rail, 'agencies'>, id: string): Promise<Outcome> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  try {
    const sample = SAMPLES[id];
    const { status } = await agencies.ask(id, sample ? { query: sample } : { body: {} });
    return { status: wordOf(status), ms: passed(), answered: true };
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    return { status: error.kind, ms: passed(), answered: false };
  }
}

function wordOf(status: number): string {
  if (status === 401 || status === 403) return `refused (${status})`;
  return status >= 500 || status === 429 ? `failed (${status})` : 'ok';
}
