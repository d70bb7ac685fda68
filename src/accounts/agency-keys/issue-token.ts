import { signAgencyToken } from '../../platform/access/tokens/agency-token.ts';
import { TOKEN_SECONDS } from '../../platform/access/tokens/signing-keys.ts';
import type { Call } from '../../platform/call/call.ts';
import { forbidBecause, refuseValue } from '../../kernel/refusal.ts';
import { shorten } from '../../kernel/text/free-text.ts';
import { takeAssertion, verifyAssertion } from './assertion.ts';

/** The one way to ask for a token (RFC 7523). */
export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A token as it is answered (RFC 6749). */
export interface AgencyToken {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly scope: string;
  readonly mda: string;
}

/** Issues a token to an agency for an assertion, with all scopes of its key or with those that are asked for. */
export async function issueAgencyToken(
  call: Call,
  { grantType, assertion, scope }: { grantType: string; assertion: string; scope?: string | null | undefined },
): Promise<AgencyToken> {
  if (grantType !== GRANT_TYPE) throw refuseValue('grantType', `must be ${GRANT_TYPE}`, 'unsupported_grant_type');
  const proof = await verifyAssertion(call, assertion);
  const { name: agencyKey, mda, scopes: held } = proof.key;
  const scopes = choose(held, scope);
  await takeAssertion(call, proof);
  const accessToken = await signAgencyToken(call, { mda, agencyKey, scopes });
  return { accessToken, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS, scope: scopes.join(' '), mda };
}

/** The scopes that were asked for, which the key has to have; all of them where none were. */
function choose(held: readonly string[], scope: string | null | undefined): readonly string[] {
  const asked = [...new Set((scope ?? '').split(' ').filter((word) => word !== ''))];
  const beyond = asked.filter((word) => !held.includes(word));
  if (beyond.length > 0)
    throw forbidBecause(
      'invalid_scope',
      `invalid_scope: the agency's key does not have ${beyond.map(shorten).join(', ')}`,
      'scope',
    );
  return asked.length > 0 ? asked : held;
}
