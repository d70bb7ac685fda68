import { GRANT, type Token, openAsAgency } from '../agency.ts';
import { type Caller, say } from '../caller.ts';
import type { LiveRail } from './rail.ts';

/** The system of an agency gets a token for its key, and reads by it what is its own, until operators revoke the key. */
export async function readAsAgency(
  rail: LiveRail,
  [operator, second]: readonly [Caller, Caller],
  intent: string,
): Promise<void> {
  say('The tax authority’s own system gets a token, for a key that one operator registered and another one approved');
  const token = await registerAndSign(rail, [operator, second], 'URA');
  const authority = rail.callAs({ authorization: `Bearer ${token.value}` });
  const path = `/v1/payment-intents/${intent}`;
  await authority.get(path);
  await authority.refused(403, 'POST', '/v1/payment-intents', {});

  say('Another agency’s token does not find what is not its own');
  const other = await registerAndSign(rail, [operator, second], 'KCCA');
  await rail.callAs({ authorization: `Bearer ${other.value}` }).refused(404, 'GET', path);

  say('Without its key a token is worth nothing from the next request on; nor is an assertion a second time');
  await rail.callAs().refused(401, 'POST', '/v1/agency-tokens', { grant_type: GRANT, assertion: other.assertion });
  await operator.post(`/v1/ops/agency-keys/${token.key}:revoke`, { reason: 'The machine was stolen' });
  await authority.refused(401, 'GET', path);
}

/** A token for a key that one operator registers, and another one approves. */
function registerAndSign(rail: LiveRail, [operator, second]: readonly [Caller, Caller], mda: string): Promise<Token> {
  const scopes = ['assessments.read', 'payments.read'];
  return openAsAgency(rail.callAs(), operator, { mda, scopes, audience: rail.publicAddress }, async (key) => {
    const waiting = await second.get<{ name: string; subject: string }[]>('/v1/ops/approvals?status=Pending');
    const { name } = waiting.find(({ subject }) => subject === key)!;
    await second.post(`/v1/ops/approvals/${name}:approve`);
  });
}
