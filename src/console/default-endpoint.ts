import { askForEndpoint, withdrawEndpoint } from '../accounts/endpoints/approval.ts';
import { type DefaultEndpoint, findDefaultEndpoint, setDefaultEndpoint } from '../accounts/endpoints/operators.ts';
import { DEFAULT_ENDPOINT } from '../accounts/events/owner.ts';
import { requireWebhookEndpoint } from '../accounts/endpoints/address.ts';
import { rotateSecret, rotateSecretAgain } from '../accounts/integrators/rotate-secret.ts';
import {
  type RotatedSecret,
  createdSecretOf,
  findEnteredBefore,
  makeFirstSecret,
} from '../accounts/endpoints/secret.ts';
import { sendTest } from '../accounts/endpoints/ping.ts';
import { reportAlone } from '../collection/approvals/alone.ts';
import { takesApproval } from '../collection/approvals/kinds.ts';
import type { Call } from '../platform/call/call.ts';
import { commit } from '../platform/change/commit.ts';
import { isBound } from '../platform/access/owned.ts';
import { Refusal, refuseBecause, refuseValue } from '../kernel/refusal.ts';
import { say } from '../kernel/text/said.ts';

/** The default endpoint, with the secret where it was entered just now. */
export interface ShownEndpoint {
  readonly endpoint: DefaultEndpoint | null;
  readonly secret: string | null;
}

export async function readDefaultEndpoint(call: Call): Promise<ShownEndpoint> {
  return { endpoint: await findDefaultEndpoint(call), secret: null };
}

/**
 * Sets where operators get messages that belong to no integrator; null: nowhere. Its first secret is shown once. On a
 * live rail another address takes two people, and is asked for.
 */
export async function changeDefaultEndpoint(call: Call, url: string | null | undefined): Promise<ShownEndpoint> {
  refuseBound(call);
  if (url === undefined) throw refuseValue('url', say`is required; null takes the endpoint away`);
  const address = url === null ? null : requireWebhookEndpoint(url, call.config, 'url');
  const before = await findDefaultEndpoint(call);
  if (before === null && address === null) return readDefaultEndpoint(call);
  const first = makeFirstSecret(call, DEFAULT_ENDPOINT);
  const former = before?.webhookEndpoint ?? null;
  const waits = address !== null && address !== former && takesApproval(call);
  const { name, guard, steps } = await setDefaultEndpoint(call, address, first, waits);
  const { types, agencies, label } = before ?? {};
  const asked = { url: address!, types: types ?? [], agencies: agencies ?? [], label: label ?? 'default' };
  await commit(call, {
    subject: DEFAULT_ENDPOINT,
    guard,
    steps: [...steps, waits ? await askForEndpoint(call, guard, name, asked) : withdrawEndpoint(call, guard, name)],
    operated: {
      action: 'default_endpoint.set',
      subject: DEFAULT_ENDPOINT,
      before: { url: former },
      after: waits ? { url: former, asks: { url: address } } : { url: address },
      reason: null,
    },
  });
  return { endpoint: await findDefaultEndpoint(call), secret: await createdSecretOf(call, DEFAULT_ENDPOINT, first) };
}

/** The answer to a change whose process died before it could give it; a secret that nobody has seen is shown. */
export async function readChangedEndpoint(call: Call): Promise<ShownEndpoint> {
  const secret = call.once && (await findEnteredBefore(call, DEFAULT_ENDPOINT, call.once));
  return { endpoint: await findDefaultEndpoint(call), secret };
}

/** Gives the default endpoint a new signing secret; the one before goes on signing for a day. */
export async function rotateDefaultSecret(call: Call): Promise<RotatedSecret> {
  await requireDefaultEndpoint(call);
  const operated = {
    action: 'default_endpoint.rotate_secret',
    subject: DEFAULT_ENDPOINT,
    before: null,
    after: null,
    reason: null,
  };
  return rotateSecret(call, DEFAULT_ENDPOINT, operated, (changed) => reportAlone(call, changed, operated));
}

export function rotateDefaultSecretAgain(call: Call): Promise<RotatedSecret> {
  return rotateSecretAgain(call, DEFAULT_ENDPOINT);
}

/** Sends a test to the default endpoint. */
export async function testDefaultEndpoint(call: Call): Promise<{ message: string }> {
  await requireDefaultEndpoint(call);
  await sendTest(call, DEFAULT_ENDPOINT, {
    action: 'default_endpoint.test',
    subject: DEFAULT_ENDPOINT,
    before: null,
    after: null,
    reason: null,
  });
  return { message: TEST_SENT };
}

export const TEST_SENT =
  'A test message is being sent. See `webhookDeliveries(integrator: "COUNTERS-OFFICE")` for the result.';

async function requireDefaultEndpoint(call: Call): Promise<void> {
  refuseBound(call);
  if ((await findDefaultEndpoint(call)) === null)
    throw refuseBecause(
      'no_webhook_endpoint',
      'There is no default endpoint; set one with `setDefaultEndpoint`',
      'url',
    );
}

/** Refuses bound staff: the messages of counters belong to all agencies. */
function refuseBound({ viewer }: Call): void {
  if (isBound(viewer))
    throw new Refusal('forbidden', say`Staff who are bound to agencies may not manage the default endpoint`);
}
