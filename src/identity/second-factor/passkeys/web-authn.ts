import { isIP } from 'node:net';
import type { Call } from '../../../platform/call/call.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { z } from '../../../kernel/zod.ts';
import { isChallenge, makeChallenge } from './challenge.ts';
import type { Passkey } from './find.ts';

/** It knows all forms of attestation, by 300 modules: they are loaded for the first passkey, and not at each start. */
const library = () => import('@simplewebauthn/server');

/** Name that authenticator apps show. */
const NAME = 'Revenue Rail';

/** ES256, EdDSA and RS256 (https://www.iana.org/assignments/cose/): what authenticators of today sign by. */
const ALGORITHMS = [-7, -8, -257];

/** A text of bytes in Base64url: longer than any authenticator makes it. */
const bytes = z.string().regex(/^[\w-]{1,16000}$/);
/** Members of both answers of a browser: `PublicKeyCredential.toJSON()`. */
const credential = { id: bytes, rawId: bytes, type: z.literal('public-key') };

const assertionShape = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
});
const attestationShape = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});

/** A passkey that was just made. */
export interface NewPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The challenge that it was made for, which counts once. */
  readonly challenge: string;
}

/** A passkey that has signed. */
export interface Assertion {
  readonly passkey: Passkey;
  readonly counter: number;
  readonly challenge: string;
}

/** Host that passkeys are made for: that of `BASE_URL`. Null if it is an IP address, for which browsers make none. */
function relyingPartyOf({ origin }: Pick<Call, 'origin'>): { readonly id: string; readonly origin: string } | null {
  const { hostname, origin: own } = new URL(origin);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { id: hostname, origin: own } : null;
}

/** Options for `navigator.credentials.create`; refuses if the rail has no name that passkeys could be for. */
export async function askForPasskey(call: Call, staff: string, known: readonly Passkey[]): Promise<unknown> {
  const party = relyingPartyOf(call);
  if (!party)
    throw refuseBecause(
      'passkeys_unavailable',
      'Passkeys need an address with a host name, which BASE_URL sets',
      'host',
    );
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userName: staff,
    userDisplayName: staff,
    challenge: makeChallenge(call, 'enrol', staff),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

/** Options for `navigator.credentials.get`; null if there are no passkeys to be asked for. */
export async function askForProof(call: Call, staff: string, known: readonly Passkey[]): Promise<unknown> {
  const party = relyingPartyOf(call);
  if (!party || known.length === 0) return null;
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: makeChallenge(call, 'prove', staff),
    allowCredentials: known.map(describe),
    userVerification: 'preferred',
  });
}

function describe({ credentialId, transports }: Passkey) {
  return { id: Buffer.from(credentialId).toString('base64url'), transports: [...transports] };
}

/** The passkey that a browser answers with; null where the answer is to no challenge of this person's, or not valid. */
export async function readNewPasskey(call: Call, staff: string, given: unknown): Promise<NewPasskey | null> {
  const party = relyingPartyOf(call);
  const answer = attestationShape.safeParse(given);
  if (!party || !answer.success) return null;
  const challenges: string[] = [];
  const { verifyRegistrationResponse } = await library();
  const verified = await unlessInvalid(call, () =>
    verifyRegistrationResponse({
      response: { ...answer.data, clientExtensionResults: {} },
      expectedChallenge: (challenge) => challenges.push(challenge) > 0 && isChallenge(call, 'enrol', staff, challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const { transports } = answer.data.response;
  return { credentialId: Buffer.from(id, 'base64url'), publicKey, counter, transports, challenge: challenges[0]! };
}

/**
 * Passkey of somebody that has signed a challenge for them; null if none has: it was made for another origin, person or
 * use, has lapsed, was changed, or counts no further than the passkey did before, as a copy of it would.
 */
export async function readAssertion(
  call: Call,
  staff: string,
  known: readonly Passkey[],
  given: unknown,
): Promise<Assertion | null> {
  const party = relyingPartyOf(call);
  const answer = assertionShape.safeParse(given);
  if (!party || !answer.success) return null;
  const passkey = known.find(({ credentialId }) => Buffer.from(answer.data.id, 'base64url').equals(credentialId));
  if (!passkey) return null;
  const challenges: string[] = [];
  const { verifyAuthenticationResponse } = await library();
  const verified = await unlessInvalid(call, () =>
    verifyAuthenticationResponse({
      response: { ...answer.data, clientExtensionResults: {} },
      expectedChallenge: (challenge) => challenges.push(challenge) > 0 && isChallenge(call, 'prove', staff, challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: answer.data.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
      requireUserVerification: false,
    }),
  );
  if (!verified?.verified) return null;
  return { passkey, counter: verified.authenticationInfo.newCounter, challenge: challenges[0]! };
}

/** The library throws what it finds wrong with an answer. Operators find it in the log; its sender learns nothing. */
async function unlessInvalid<T>(call: Call, verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    call.log.warn({ request_id: call.requestId, err: error }, 'The answer of a passkey is not valid');
    return null;
  }
}
