import type { Call } from '../../platform/call/call.ts';
import type { Operated } from '../../platform/audit/operation.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { requireName } from '../../kernel/text/names.ts';
import { nameDefault, setDefault } from '../endpoints/default.ts';
import { requireWebhookEndpoint } from './endpoint/webhook-endpoint.ts';
import { announceChange } from './announce.ts';
import { type Integrator, getIntegrator } from './find.ts';
import { createdSecretOf, findEnteredBefore, makeFirstSecret } from './endpoint/webhook-secret.ts';
import { say } from '../../kernel/text/said.ts';

/** What an integrator may change of itself; left out: stays as it is, null: is taken away. */
export interface ProfileChanges {
  readonly displayName?: string | null | undefined;
  readonly webhookEndpoint?: string | null | undefined;
  readonly anticipatedVolumeMonthly?: number | null | undefined;
  readonly contactPhone?: string | null | undefined;
  /** As whose people write it the phone number is read; null: in E.164 form alone. */
  readonly phoneCountry?: string | null | undefined;
}

export const MOST_VOLUME = 1_000_000_000;

/** Changes the caller's own profile. The change is audited, and the owner is written to where money could follow from it. */
export async function updateProfile(call: Call, changes: ProfileChanges): Promise<Integrator> {
  const { displayName, webhookEndpoint: endpoint, anticipatedVolumeMonthly: volume, contactPhone: phone } = changes;
  if (displayName === null) throw refuseValue('displayName', say`must not be null`);
  const given: Partial<Profile> = {
    ...(displayName !== undefined && { display_name: requireName('displayName', displayName) }),
    ...(endpoint !== undefined && {
      webhook_endpoint: endpoint && requireWebhookEndpoint(endpoint, call.config),
    }),
    ...(volume !== undefined && { anticipated_volume_monthly: volume }),
    ...(phone !== undefined && { contact_phone: phone && requirePhone('contactPhone', phone, changes.phoneCountry) }),
  };
  const code = call.viewer.integrator!;
  if (Object.keys(given).length === 0) return getIntegrator(call, code);
  const enters = given.webhook_endpoint !== undefined;
  // An account that has an endpoint has to know what its messages are signed with.
  const first = given.webhook_endpoint == null ? null : makeFirstSecret(call, code);
  return retryUntilSettled(async () => {
    const before = await getIntegrator(call, code);
    if (before.status !== 'Active') throw new Refusal('unauthenticated', 'The account is suspended');
    const was = profileOf(before);
    const is = { ...was, ...given };
    const at = call.now();
    const changed = guard`
      update integrator set updated_at = ${at}, display_name = ${is.display_name},
        anticipated_volume_monthly = ${is.anticipated_volume_monthly}::int, contact_phone = ${is.contact_phone}
      where code = ${code} and status = 'Active' and updated_at = ${before.updatedAt}
        and (display_name, anticipated_volume_monthly, contact_phone) is not distinct from
          (${was.display_name}, ${was.anticipated_volume_monthly}::int, ${was.contact_phone}::text)
        and (select e.url from webhook_endpoint e where e.integrator = code and e.is_default) is not distinct from ${was.webhook_endpoint}
      returning code`;
    const entered = enters
      ? [
          setDefault(changed, {
            name: await nameDefault(call, code),
            at,
            url: is.webhook_endpoint,
            first: first?.sealed ?? null,
          }),
        ]
      : [];
    const members = PROFILE.filter((member) => was[member] !== is[member]);
    const operated: Operated = {
      action: 'integrator.update',
      subject: code,
      before: pickAudited(was, members),
      after: pickAudited(is, members),
      reason: null,
    };
    const told = ANNOUNCED.filter((member) => members.includes(member));
    const what = told.map(
      (member) => `${NAMES[member]} is ${is[member] ?? 'none'} now, and was ${was[member] ?? 'none'}.`,
    );
    const change = {
      subject: code,
      guard: changed,
      steps: [...entered, ...(told.length > 0 ? [announceChange(call, changed, what.join(' '))] : [])],
      ...(members.length > 0 && { operated }),
    };
    if (!(await commit(call, change))) return undefined;
    return { ...(await getIntegrator(call, code)), webhookSecret: first && (await createdSecretOf(call, code, first)) };
  });
}

/** What an owner may change of an account, as the audit names it. */
interface Profile {
  readonly display_name: string;
  readonly webhook_endpoint: string | null;
  readonly anticipated_volume_monthly: number | null;
  readonly contact_phone: string | null;
}

const PROFILE = ['display_name', 'webhook_endpoint', 'anticipated_volume_monthly', 'contact_phone'] as const;

/** What the owner is written to about, by which others could pass for the account or read its messages. */
const ANNOUNCED = ['display_name', 'webhook_endpoint'] as const;
const NAMES = { display_name: 'The display name', webhook_endpoint: 'The webhook endpoint' } as const;

function profileOf({ displayName, webhookEndpoint, anticipatedVolumeMonthly, contactPhone }: Integrator): Profile {
  return {
    display_name: displayName,
    webhook_endpoint: webhookEndpoint,
    anticipated_volume_monthly: anticipatedVolumeMonthly,
    contact_phone: contactPhone,
  };
}

/** Members of a profile as the audit shows them: of a phone number, its end. */
function pickAudited(profile: Profile, members: readonly (keyof Profile)[]) {
  const shown = { ...profile, contact_phone: profile.contact_phone && `…${profile.contact_phone.slice(-3)}` };
  return Object.fromEntries(members.map((member) => [member, shown[member]]));
}

/** The answer to a change whose process died before it could give it; a secret that nobody has seen is shown. */
export async function readUpdatedProfile(call: Call, code: string): Promise<Integrator> {
  return {
    ...(await getIntegrator(call, code)),
    webhookSecret: call.once && (await findEnteredBefore(call, code, call.once)),
  };
}
