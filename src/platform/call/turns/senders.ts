import { hash } from 'node:crypto';
import type { Request } from 'express';
import type { Viewer } from '../../access/viewer.ts';
import { networkOf } from '../networks.ts';

/** As many credentials as are remembered; the oldest is forgotten for the next. */
const MOST_KNOWN = 10_000;

/**
 * By whose requests a request waits its turn, which has to be known before its credential is looked up: those of an
 * account whose key was found to hold not long ago, and else those of an address. It decides on the order of requests
 * alone.
 */
export class Senders {
  readonly #accounts = new Map<string, string>();

  of(req: Request): string {
    const credential = credentialOf(req);
    const account = credential === null ? undefined : this.#accounts.get(credential);
    return account ?? `address ${networkOf(req.ip ?? req.socket.remoteAddress ?? '')}`;
  }

  /** Remembers whose key it was that a request showed. */
  remember(req: Request, { kind, integrator }: Viewer): void {
    const credential = kind === 'key' && integrator !== null ? credentialOf(req) : null;
    if (credential === null || this.#accounts.has(credential)) return;
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= MOST_KNOWN) this.#accounts.delete(oldest!);
    this.#accounts.set(credential, `account ${integrator}`);
  }
}

/** What stands for the credential that a request shows, without being one. */
function credentialOf({ headers }: Request): string | null {
  const shown = headers.authorization ?? headers['x-service-authorization'];
  return typeof shown === 'string' ? hash('sha256', shown, 'base64url') : null;
}
