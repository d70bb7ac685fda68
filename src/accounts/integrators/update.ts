import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { requirePhone } from '../../kernel/text/contact.ts';
import { requireName } from '../../kernel/text/names.ts';
import { requireWebhookEndpoint } from './endpoint/webhook-endpoint.ts';
import { type Integrator, getIntegrator } from './find.ts';
import { createdSecretOf, findEnteredBefore, makeFirstSecret } from './endpoint/webhook-secret.ts';

/** What an integrator may change of itself; left out: stays as it is, null: is taken away. */
export interface ProfileChanges {
  readonly displayName?: string | null | undefined;
  readonly webhookEndpoint?: string | null | undefined;
  readonly anticipatedVolumeMonthly?: number | null | undefined;
  readonly contactPhone?: string | null | undefined;
}

export const MOST_VOLUME = 1_000_000_000;

export async function updateProfile(call: Call, changes: ProfileChanges): Promise<Integrator> {
  const { displayName, webhookEndpoint: endpoint, anticipatedVolumeMonthly: volume, contactPhone: phone } = changes;
  if (displayName === null) throw refuseValue('displayName', 'must not be null');
  const name = displayName === undefined ? undefined : requireName('displayName', displayName);
  const address = endpoint == null ? endpoint : requireWebhookEndpoint(endpoint, call.config);
  const number = phone == null ? phone : requirePhone('contactPhone', phone);
  const code = call.viewer.integrator!;
  // Whoever has an endpoint has to know what its messages are signed with.
  const first = address == null ? null : makeFirstSecret(call, code);
  const changed = guard`
    update integrator set updated_at = ${call.now()},
      display_name = coalesce(${name ?? null}, display_name),
      webhook_disabled_at = case when ${address === undefined} then webhook_disabled_at end,
      webhook_disabled_reason = case when ${address === undefined} then webhook_disabled_reason end,
      webhook_failing_since = case when ${address === undefined} then webhook_failing_since end,
      webhook_prompt = webhook_prompt and ${address === undefined},
      webhook_secret_at = case when ${first !== null}
        and webhook_secret is null then ${call.now()}::timestamptz else webhook_secret_at end,
      webhook_secret = coalesce(webhook_secret, ${first?.sealed ?? null}),
      webhook_endpoint = case when ${address === undefined} then webhook_endpoint else ${address ?? null} end,
      anticipated_volume_monthly = case when ${volume === undefined} then anticipated_volume_monthly else ${volume ?? null}::int end,
      contact_phone = case when ${number === undefined} then contact_phone else ${number ?? null} end
    where code = ${code} and status = 'Active' returning code`;
  const nothing = [name, address, volume, number].every((value) => value === undefined);
  if (!nothing && !(await commit(call, { subject: code, guard: changed })))
    throw new Refusal('unauthenticated', 'The account is suspended');
  return { ...(await getIntegrator(call, code)), webhookSecret: first && (await createdSecretOf(call, code, first)) };
}

/** The answer to a change whose process died before it could give it; a secret that nobody has seen is shown. */
export async function readUpdatedProfile(call: Call, code: string): Promise<Integrator> {
  return {
    ...(await getIntegrator(call, code)),
    webhookSecret: call.once && (await findEnteredBefore(call, code, call.once)),
  };
}
