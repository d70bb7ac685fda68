import type { Call } from '../../platform/call/call.ts';
import type { Operated } from '../../platform/change/operation.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { reportAlone } from '../../collection/approvals/alone.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { announceChange } from '../../platform/mail/announce.ts';
import { enterOperatorsAccount } from './operators.ts';
import { DEFAULT_ENDPOINT } from '../events/owner.ts';
import { type RotatedSecret, makeFirstSecret, makeSecret, sealedFor } from './secret.ts';
import { type WebhookEventType, eventCatalogue } from '../events/event-types.ts';
import { queueTest } from './ping.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { askForEndpoint, widensEndpoint, withdrawEndpoint } from './approval.ts';
import { ENABLED } from './default.ts';
import { type Endpoint, endpointLoader, getEndpoint, readEndpoint } from './find.ts';
import { ownerOf, whereOwn } from '../events/owner.ts';
import { type Settings, type SettingsInput, readSettings } from './settings.ts';

/** Most endpoints of an account, an agency or operators. */
export const MOST_ENDPOINTS = 10;

/**
 * The places that endpoints may have. The one that an account has in its profile has place 0: the database
 * holds that each is taken once.
 */
const placesOf = (agency: string | null): Sql => sql`generate_series(1, ${agency === null ? 9 : 10}::int)`;

/** Adds an endpoint for the caller, and answers it with its secret. That of operators on a live rail waits to be approved. */
export function createEndpoint(call: Call, input: SettingsInput): Promise<Endpoint> {
  const { integrator, agency } = ownerOf(call.viewer);
  return retryUntilSettled(async () => {
    const settings = await readSettings(call, input);
    const at = call.now();
    const name = await call.docnames.next('endpoint', at);
    const { secret, sealed } = makeFirstSecret(call, name);
    const { url, types, agencies, label } = settings;
    const waits = widensEndpoint(call, settings, null);
    const changed = guard`
      insert into webhook_endpoint (name, integrator, agency, place, label, url, types, agencies, secret, secret_at,
        created_at, updated_at)
      select ${name}, ${integrator}, ${agency}, p.place, ${label}, ${waits ? null : url}, ${[...types]}::text[], ${[...agencies]}::text[],
        ${sealed}, ${at}, ${at}, ${at}
      from (select min(s) as place from ${placesOf(agency)} s where not exists (
        select from webhook_endpoint r where ${whereOwn(call.viewer)} and r.place = s)) p
      where p.place is not null returning name, integrator as code`;
    const what = `The webhook endpoint ${name} was added: ${url}.`;
    try {
      const done = await commit(call, {
        subject: name,
        guard: changed,
        steps: [
          ...(integrator === DEFAULT_ENDPOINT ? [enterOperatorsAccount(call)] : []),
          ...announce(call, changed, what),
          ...(waits ? [await askForEndpoint(call, changed, name, settings)] : []),
        ],
        operated: audited('webhook_endpoint.create', name, null, settings),
      });
      if (!done)
        throw refuseBecause('too_many_endpoints', `There are ${MOST_ENDPOINTS} endpoints already: remove one first`);
    } catch (error) {
      // Another request took the place: there may be a further one.
      if (violatedUniqueOf(error)?.startsWith('webhook_endpoint_') !== true) throw error;
      return undefined;
    }
    return { ...(await readEndpoint(call, name)), secretOnce: secret };
  });
}

/** The answer to a creation whose process died before it could give it: a secret that nobody has seen is shown. */
export async function endpointCreatedBefore(call: Call, name: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(call, name);
  const row = await call.db.row<{ secret: Buffer }>(sql`select secret from webhook_endpoint where name = ${name}`);
  return { ...endpoint, secretOnce: call.vault.open('webhook', sealedFor(endpoint), row!.secret) };
}

/**
 * Changes an endpoint of the caller. One whose address is saved is enabled. On a live rail another address of one of
 * operators, or more messages to it, are asked for.
 */
export function amendEndpoint(call: Call, name: string, input: SettingsInput): Promise<Endpoint> {
  return change(call, name, 'webhook_endpoint.amend', async (before) => {
    const after = await readSettings(call, input, before as Settings);
    const { url, types, agencies, label } = after;
    if (widensEndpoint(call, after, before as Settings))
      return {
        set: sql`label = label`,
        asks: after,
        more: async (changed) => [await askForEndpoint(call, changed, name, after)],
        what: null,
      };
    const moved = url !== before.url;
    return {
      set: sql`label = ${label}, url = ${url}, types = ${[...types]}::text[], agencies = ${[...agencies]}::text[]
        ${input.url == null ? sql`` : ENABLED}`,
      after,
      more: async (changed) => (isOfOperators(call) ? [withdrawEndpoint(call, changed, name)] : []),
      what: moved ? `The webhook endpoint ${name} is ${url} now, and was ${before.url}.` : null,
    };
  });
}

/** Has messages sent again to an endpoint that was disabled. */
export function enableEndpoint(call: Call, name: string): Promise<Endpoint> {
  return change(call, name, 'webhook_endpoint.enable', async () => ({
    set: sql`label = label ${ENABLED}`,
    what: null,
  }));
}

/**
 * Removes an endpoint of the caller. What waits for it is given up. What waits for the one of an account's profile
 * is sent once the account has one again.
 */
export function removeEndpoint(call: Call, name: string): Promise<Endpoint> {
  return change(call, name, 'webhook_endpoint.remove', async (before) => ({
    set: before.isDefault ? sql`url = null` : sql`url = null, place = null`,
    also: before.isDefault ? sql`` : sql`, give_up_deliveries(name, updated_at)`,
    more: async (changed) => (isOfOperators(call) ? [withdrawEndpoint(call, changed, name)] : []),
    what: `The webhook endpoint ${name}, ${before.url}, was removed.`,
  }));
}

/** Gives an endpoint of the caller a new secret; the one before goes on signing for a day. */
export async function rotateEndpointSecret(call: Call, name: string): Promise<RotatedSecret> {
  const secret = makeSecret();
  const until = new Date(call.now().getTime() + DAY_MS);
  await change(call, name, 'webhook_endpoint.rotate_secret', async (before) => ({
    set: sql`previous_secret = secret, previous_until = ${until}, secret_at = ${call.now()},
      secret = ${call.vault.seal('webhook', sealedFor(before), secret)}`,
    more: async (changed, operated) => (isOfOperators(call) ? reportAlone(call, changed, operated) : []),
    what: `The secret that messages to the webhook endpoint ${name} are signed with was replaced.`,
  }));
  return { secret, previousValidUntil: until };
}

/**
 * The answer to a rotation whose process died before it could give it: a secret that nobody has seen is replaced, and the
 * one before it goes on signing as long as it would have.
 */
export async function rotateEndpointSecretAgain(call: Call, name: string): Promise<RotatedSecret> {
  const endpoint = await getEndpoint(call, name);
  const secret = makeSecret();
  const row = await call.db.row<{ until: Date }>(sql`
    update webhook_endpoint set secret = ${call.vault.seal('webhook', sealedFor(endpoint), secret)}, secret_at = ${call.now()}
    where name = ${name} returning previous_until as until`);
  return { secret, previousValidUntil: row!.until };
}

/** Sends a test of any type to an endpoint of the caller, with the example of the catalogue, past its filters. */
export async function testEndpoint(
  call: Call,
  name: string,
  type: WebhookEventType = 'webhook.test',
): Promise<{ message: string }> {
  const { integrator, agency } = await getEndpoint(call, name);
  await requireEndpoint(call, sql`name = ${name}`);
  const { example } = eventCatalogue.find((each) => each.type === type)!;
  const payload = example.data.object;
  const operated = audited('webhook_endpoint.test', name, null, null);
  return queueTest(call, { type, payload, object: name, integrator, agency }, operated);
}

interface Changed {
  readonly set: Sql;
  /** Effect on records of the endpoint, once it is locked. */
  readonly also?: Sql;
  /** Settings after the change, for the audit. */
  readonly after?: Settings;
  /** Settings that have to be approved, for the audit. */
  readonly asks?: Settings;
  /** Further steps with it. */
  readonly more?: (changed: Step, operated: Operated) => Promise<readonly Step[]>;
  /** Notice to the owner of the account; null if nothing could follow from it. */
  readonly what: string | null;
}

function change(
  call: Call,
  name: string,
  action: string,
  decide: (before: Endpoint) => Promise<Changed>,
): Promise<Endpoint> {
  return retryUntilSettled(async () => {
    const before = await getEndpoint(call, name);
    const { set, also = sql``, after, asks, more, what } = await decide(before);
    const operated = {
      ...audited(action, name, after ? (before as Settings) : null, after ?? null),
      ...(asks && { after: { asks: shown(asks) } }),
    };
    const changed = guard`
      update webhook_endpoint set ${set}, updated_at = ${call.now()}
      where name = ${name} and url = ${before.url} and updated_at = ${before.updatedAt} returning name, integrator as code ${also}`;
    const done = await commit(call, {
      subject: name,
      guard: changed,
      steps: [...(what === null ? [] : announce(call, changed, what)), ...((await more?.(changed, operated)) ?? [])],
      operated,
    });
    if (!done) return undefined;
    // One that was removed is answered as it was.
    return (await endpointLoader.load(call, name)) ?? before;
  });
}

function audited(action: string, subject: string, before: Settings | null, after: Settings | null): Operated {
  return { action, subject, before: before && shown(before), after: after && shown(after), reason: null };
}

function shown({ url, types, agencies, label }: Settings) {
  return { url, types, agencies, label };
}

function isOfOperators({ viewer }: Call): boolean {
  return ownerOf(viewer).integrator === DEFAULT_ENDPOINT;
}

/** Mails a notice to the owner of an account; operators and agencies see it in their audit. */
function announce(call: Call, changed: Step, what: string): Step[] {
  return ownerOf(call.viewer).integrator === null || isOfOperators(call) ? [] : [announceChange(call, changed, what)];
}
