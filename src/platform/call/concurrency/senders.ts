import { hash } from 'node:crypto';
import type { Request } from 'express';
import { KNOWN_COOKIE, cookieOf, setCookie } from '../../access/cookies.ts';
import type { Viewer } from '../../access/viewer.ts';
import type { Call, Rail } from '../call.ts';
import { networkOf } from '../../../kernel/network.ts';

/** Most credentials that are remembered; the oldest is forgotten for the next. */
const MOST_KNOWN = 10_000;

/** Time for which a browser is known after its last login: that of a network. */
const KNOWN_SECONDS = 90 * 86_400;

/**
 * By whose requests a request waits its turn, which has to be known before its credential is looked up: those of an
 * account whose key was found to hold not long ago, those of a member of staff from a browser that they have logged in
 * with, so that a crowd of logins from an office does not shut out its own people, and else those of an address. It
 * decides on the order of requests alone.
 */
export class Senders {
  readonly #accounts = new Map<string, string>();
  readonly #rail: Pick<Rail, 'vault' | 'now' | 'origin'>;

  constructor(rail: Pick<Rail, 'vault' | 'now' | 'origin'>) {
    this.#rail = rail;
  }

  of(req: Request): string {
    const credential = credentialOf(req);
    const known = credential === null ? this.#personOf(req) : this.#accounts.get(credential);
    return known ?? `address ${networkOf(req.ip ?? req.socket.remoteAddress ?? '')}`;
  }

  #personOf({ headers }: Request): string | undefined {
    const cookie = cookieOf(this.#rail, headers, KNOWN_COOKIE);
    const text = cookie && this.#rail.vault.open('known', '', Buffer.from(cookie, 'base64url'));
    if (!text) return undefined;
    const { email, until } = JSON.parse(text) as Known;
    return until > this.#rail.now().getTime() ? `staff ${email}` : undefined;
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

/** A browser's sealed record of who has logged in with it. */
interface Known {
  readonly email: string;
  readonly until: number;
}

/** Has a browser be known as that of a member of staff who has just logged in. */
export function rememberBrowser(call: Call, email: string): void {
  const { vault, transport, now } = call;
  const known: Known = { email, until: now().getTime() + KNOWN_SECONDS * 1_000 };
  const sealed = vault.seal('known', '', JSON.stringify(known)).toString('base64url');
  transport.cookies.push(setCookie(call, KNOWN_COOKIE, sealed, KNOWN_SECONDS));
}

/** Stand-in for the credential of a request. */
function credentialOf({ headers }: Request): string | null {
  const shown = headers.authorization ?? headers['x-service-authorization'];
  return typeof shown === 'string' ? hash('sha256', shown, 'base64url') : null;
}
