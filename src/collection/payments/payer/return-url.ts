import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isHostName } from '../../../kernel/network.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

export const LONGEST_RETURN_URL = 2_048;

/**
 * An address to which a payer's browser may be sent, as a browser reads it: on a host that the caller's account
 * registered, so that no link of the rail leads to a page of somebody else.
 */
export async function requireReturnUrl({ db, viewer }: Call, value: string): Promise<string> {
  const path = 'returnUrl';
  const text = value.trim();
  if (text.length > LONGEST_RETURN_URL) throw refuseValue(path, say`must be at most ${LONGEST_RETURN_URL} characters`);
  const url = URL.parse(text);
  const isPlain =
    url?.protocol === 'https:' &&
    !url.username &&
    !url.password &&
    !url.port &&
    !text.includes('#') &&
    isHostName(url.hostname);
  if (!isPlain)
    throw refuseValue(path, say`must be an https address of a host by its name, without a user name, port or fragment`);
  const registered = await db.row(
    sql`select 1 from integrator where code = ${viewer.integrator} and ${url.hostname} = any(return_hosts)`,
  );
  if (!registered)
    throw refuseValue(
      path,
      `is on ${url.hostname}, which is no return host of the account`,
      'return_url_not_registered',
    );
  return url.href;
}

/** Address for a payer's browser to return to, with its subject: a hint for the page there, and no proof. */
export function returnUrlOf(returnUrl: string, intent: string, reference: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('intent', intent);
  url.searchParams.set('reference', reference);
  return url.href;
}
