import { parseCookie, stringifySetCookie } from 'cookie';
import type { IncomingHttpHeaders } from 'node:http';

/** Cookies that carry a session. */
export const COOKIES = { integrator: 'service_session', staff: 'sid' } as const;

export type CookieName = (typeof COOKIES)[keyof typeof COOKIES];

/** The cookie that ties a sign-in at the identity provider to the browser that began it. */
export const SIGN_ON_COOKIE = 'sign_on';

/** The cookie of a login by password that waits for a code of the second factor. */
export const LOG_IN_COOKIE = 'log_in';

/** The cookie by which a browser is known that somebody of the staff has logged in with; it gives no right. */
export const KNOWN_COOKIE = 'known';

type AnyCookie = CookieName | typeof SIGN_ON_COOKIE | typeof LOG_IN_COOKIE | typeof KNOWN_COOKIE;

const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** What a request carries under a cookie's name; null where nothing. */
export function cookieOf({ cookie }: IncomingHttpHeaders, name: AnyCookie): string | null {
  return (cookie && parseCookie(cookie)[name]) || null;
}

/**
 * A `Set-Cookie` that scripts cannot read, that travels over TLS (or to this machine) alone, and not with requests of
 * other sites.
 */
export function setCookie(name: AnyCookie, value: string, maxAgeSeconds: number): string {
  return stringifySetCookie({ name, value, maxAge: maxAgeSeconds, ...ATTRIBUTES });
}

/** A `Set-Cookie` that removes a cookie. */
export function clearCookie(name: AnyCookie): string {
  return stringifySetCookie({ name, value: '', maxAge: 0, ...ATTRIBUTES });
}
