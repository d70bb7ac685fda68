import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT, exportJWK } from 'jose';
import type { Caller } from './caller.ts';

export const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface Token {
  /** The docname of the key that it stands on. */
  readonly key: string;
  readonly assertion: string;
  readonly value: string;
}

/** A token of an agency's system, for a key that an operator registers for it, and who has to approves. */
export async function openAsAgency(
  nobody: Caller,
  operator: Caller,
  { mda, scopes, audience }: { readonly mda: string; readonly scopes: readonly string[]; readonly audience: string },
  approve: (key: string) => Promise<void> = async () => {},
): Promise<Token> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { name: key, kid } = await operator.post<{ name: string; kid: string }>('/v1/ops/agency-keys', {
    mda,
    public_key: await exportJWK(publicKey),
    scopes,
    label: 'Billing system',
  });
  await approve(key);
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setIssuer(mda)
    .setSubject(mda)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('2 minutes')
    .sign(privateKey);
  const asked = { grant_type: GRANT, assertion };
  const { access_token: value } = await nobody.post<{ access_token: string }>('/v1/agency-tokens', asked);
  return { key, assertion, value };
}
