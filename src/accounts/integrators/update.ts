import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../platform/call/call.ts';
import type { Operated } from '../../platform/change/operation.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { isHostName } from '../../kernel/network.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { requireName } from '../../kernel/text/names.ts';
import { nameDefault, setDefault } from '../endpoints/default.ts';
import { requireWebhookEndpoint } from '../endpoints/address.ts';
import { announceChange } from '../../platform/mail/announce.ts';
import { type Integrator, getIntegrator } from './find.ts';
import { createdSecretOf, findEnteredBefore, makeFirstSecret } from '../endpoints/secret.ts';
import { say } from '../../kernel/text/said.ts';

/** An integrator's changes of itself; those left out stay, null takes a value away. */
export interface ProfileChanges {
  readonly displayName?: string | null | undefined;
  readonly webhookEndpoint?: string | null | undefined;
  readonly anticipatedVolumeMonthly?: number | null | undefined;
  readonly contactPhone?: string | null | undefined;
  /** Country in whose form the phone number is read; null: in E.164 form alone. */
  readonly phoneCountry?: string | null | undefined;
  readonly returnHosts?: readonly string[] | null | undefined;
}

export const MOST_VOLUME = 1_000_000_000;
export const MOST_RETURN_HOSTS = 20;

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
    ...(changes.returnHosts !== undefined && { return_hosts: requireReturnHosts(changes.returnHosts ?? []) }),
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
        anticipated_volume_monthly = ${is.anticipated_volume_monthly}::int, contact_phone = ${is.contact_phone},
        return_hosts = ${[...is.return_hosts]}::text[]
      where code = ${code} and status = 'Active' and updated_at = ${before.updatedAt}
        and (display_name, anticipated_volume_monthly, contact_phone, return_hosts) is not distinct from
          (${was.display_name}, ${was.anticipated_volume_monthly}::int, ${was.contact_phone}::text, ${[...was.return_hosts]}::text[])
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
    const members = PROFILE.filter((member) => !isDeepStrictEqual(was[member], is[member]));
    const operated: Operated = {
      action: 'integrator.update',
      subject: code,
      before: pickAudited(was, members),
      after: pickAudited(is, members),
      reason: null,
    };
    const announced = ANNOUNCED.filter((member) => members.includes(member));
    const what = announced.map(
      (member) => `${NAMES[member]} is ${wordsOf(is[member])} now, and was ${wordsOf(was[member])}.`,
    );
    const change = {
      subject: code,
      guard: changed,
      steps: [...entered, ...(announced.length > 0 ? [announceChange(call, changed, what.join(' '))] : [])],
      ...(members.length > 0 && { operated }),
    };
    if (!(await commit(call, change))) return undefined;
    return { ...(await getIntegrator(call, code)), webhookSecret: first && (await createdSecretOf(call, code, first)) };
  });
}

/** Members of an account that its owner may change, as the audit names them. */
interface Profile {
  readonly display_name: string;
  readonly webhook_endpoint: string | null;
  readonly anticipated_volume_monthly: number | null;
  readonly contact_phone: string | null;
  readonly return_hosts: readonly string[];
}

const PROFILE = [
  'display_name',
  'webhook_endpoint',
  'anticipated_volume_monthly',
  'contact_phone',
  'return_hosts',
] as const;

/** Members whose change the owner is mailed about: others could pass for the account by them, or read its messages. */
const ANNOUNCED = ['display_name', 'webhook_endpoint', 'return_hosts'] as const;
const NAMES = {
  display_name: 'The display name',
  webhook_endpoint: 'The webhook endpoint',
  return_hosts: 'The list of return hosts',
} as const;

function wordsOf(value: string | readonly string[] | null): string {
  return (typeof value === 'string' ? value : value?.join(', ')) || 'none';
}

/** The hosts of return addresses, each once. */
function requireReturnHosts(hosts: readonly string[]): readonly string[] {
  if (hosts.length > MOST_RETURN_HOSTS)
    throw refuseValue('returnHosts', say`must name at most ${MOST_RETURN_HOSTS} hosts`);
  for (const [nth, host] of hosts.entries())
    if (!isHostName(host))
      throw refuseValue(
        `returnHosts[${nth}]`,
        say`must be the name of a host in small letters, such as shop.example.com`,
      );
  return [...new Set(hosts)];
}

function profileOf({
  displayName,
  webhookEndpoint,
  anticipatedVolumeMonthly,
  contactPhone,
  returnHosts,
}: Integrator): Profile {
  return {
    display_name: displayName,
    webhook_endpoint: webhookEndpoint,
    anticipated_volume_monthly: anticipatedVolumeMonthly,
    contact_phone: contactPhone,
    return_hosts: returnHosts,
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
