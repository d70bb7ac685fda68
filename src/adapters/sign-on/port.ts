/** Values that tie an answer of the provider to the browser that asked: each is random, and new for every sign-in. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  /** Verifier of the proof key for the code (PKCE). */
  readonly verifier: string;
}

/** Claims of the provider about the person who signed in there; its issuer and subject among them. */
export interface SignOnClaims extends Readonly<Record<string, unknown>> {
  readonly iss: string;
  readonly sub: string;
}

/** The provider at which staff sign in. What it does not answer is an `AdapterFailure`. */
export interface SignOnProvider {
  /** Address at which the browser signs in; it comes back to `callback`. */
  begin(checks: SignOnChecks, callback: string): Promise<string>;
  /**
   * Claims of the person who signed in, by the address that the browser came back to. A `SignOnRefused` if the provider
   * let nobody in, or if its answer is not one to this sign-in.
   */
  complete(checks: SignOnChecks, returned: URL): Promise<SignOnClaims>;
  /** Address at which the browser ends the session at the provider too; null if that has none. */
  endSessionUrl(returnTo: string): Promise<string | null>;
  close(): Promise<void>;
}

/** The provider let nobody in (`denied`), or its answer is not a good one to the sign-in that was begun (`void`). */
export class SignOnRefused extends Error {
  readonly reason: 'denied' | 'void';

  /** The message is for the log: it holds nothing that the provider said of anybody. */
  constructor(reason: SignOnRefused['reason'], message: string) {
    super(message);
    this.name = 'SignOnRefused';
    this.reason = reason;
  }
}
