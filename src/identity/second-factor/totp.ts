import { generateSecret, generateURI, verifySync } from 'otplib';

/** Time for which a code is shown, in seconds; it counts one step earlier and later too, for clocks that differ. */
const STEP_SECONDS = 30;

/** A new secret for codes by time, in Base32: 160 bits. */
export function makeSecret(): string {
  return generateSecret();
}

/** The address under which an authenticator app takes a secret, as it stands in a QR code. */
export function enrolmentUrlOf(email: string, secret: string): string {
  return generateURI({ issuer: 'Revenue Rail', label: email, secret });
}

/** True if a text has the form of a code by time; any other may be a recovery code. */
export function isTimeCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/**
 * The step of time that a code belongs to: the present one, the one before or the one after. Null where it belongs to
 * none of them, or to one that is not after the last that was used.
 */
export function stepOf(secret: string, token: string, at: Date, lastStep: number | null): number | null {
  const verified = verifySync({
    secret,
    token,
    epoch: Math.floor(at.getTime() / 1_000),
    epochTolerance: STEP_SECONDS,
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  });
  return verified.valid && 'timeStep' in verified ? verified.timeStep : null;
}
