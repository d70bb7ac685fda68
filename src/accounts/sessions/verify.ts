import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type SignUpVerification, verifySignUp } from '../integrators/sign-up/verify.ts';
import { openFirstSession } from './open.ts';

/** Verifies a sign-up, and signs the browser in to the account that it made; not for a page of another origin. */
export async function verifySignUpInBrowser(
  call: Call,
  input: { readonly integratorId: string; readonly otp: string },
): Promise<SignUpVerification> {
  if (call.transport.source.foreign)
    throw new Refusal('forbidden', 'Signing up from a page of another origin is not allowed');
  const verification = await verifySignUp(call, input);
  await openFirstSession(call, verification.integratorId);
  return verification;
}
