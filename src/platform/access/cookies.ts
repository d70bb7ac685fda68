import { parseCookie, stringifySetCookie } from 'cookie';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../database/sql.ts';
import type { Viewer } from './viewer.ts';

/** Cookies that carry a session, by the names that the contract has for them. */
export const COOKIES = { integrator: 'service_session', staff: 'sid' } as const;

export type CookieName = (typeof COOKIES)[keyof typeof COOKIES];

/** Look-up of the session under a cookie's token, by the domain that owns it; null if it does not hold. */
export type Sessions = Readonly<Record<CookieName, (db: Database, token: string, now: Date) => Promise<Viewer | null>>>;

/** The cookie that ties a sign-in at the identity provider to the browser that began it. */
export const SIGN_ON_COOKIE = 'sign_on';

/** The cookie of a login by password that waits for a code of the second factor. */
export const LOG_IN_COOKIE = 'log_in';

/** The cookie by which a browser is known that somebody of the staff has logged in with; it gives no right. */
export const KNOWN_COOKIE = 'known';

/** The cookie of the language that somebody chose. */
export const LANGUAGE_COOKIE = 'language';

/** The cookie of the notices that somebody dismissed. */
export const DISMISSED_COOKIE = 'dismissed';

type OwnCookie =
  | typeof SIGN_ON_COOKIE
  | typeof LOG_IN_COOKIE
  | typeof KNOWN_COOKIE
  | typeof LANGUAGE_COOKIE
  | typeof DISMISSED_COOKIE;
type AnyCookie = CookieName | OwnCookie;

/** Addresses of a rail, which decide on the names of its cookies. */
interface Reached {
  readonly origin: string;
}

const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

const FIXED: readonly string[] = Object.values(COOKIES);

/**
 * Name of a cookie in browsers: over TLS, where the contract does not fix the name, with the prefix by which they take
 * it from this host alone, and not from another one of its domain (RFC 6265bis, section 4.1.3.2).
 */
function nameOf({ origin }: Reached, name: AnyCookie): string {
  return origin.startsWith('https:') && !FIXED.includes(name) ? `__Host-${name}` : name;
}

/** Value of a cookie of a request; null if it has none. */
export function cookieOf(rail: Reached, { cookie }: IncomingHttpHeaders, name: AnyCookie): string | null {
  return (cookie && parseCookie(cookie)[nameOf(rail, name)]) || null;
}

/**
 * A `Set-Cookie` that scripts cannot read, that travels over TLS (or to this machine) alone, and not with requests of
 * other sites.
 */
export function setCookie(rail: Reached, name: AnyCookie, value: string, maxAgeSeconds: number): string {
  return stringifySetCookie({ name: nameOf(rail, name), value, maxAge: maxAgeSeconds, ...ATTRIBUTES });
}

/** A `Set-Cookie` that removes a cookie. */
export function clearCookie(rail: Reached, name: AnyCookie): string {
  return setCookie(rail, name, '', 0);
}
