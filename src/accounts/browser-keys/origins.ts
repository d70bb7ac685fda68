import type { Config } from '../../platform/config/config.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

export const MOST_ORIGINS = 10;

/** A host by its name or address; a wildcard, which a URL may have, is none. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/;

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Origins as browsers send them, each once; refused where there is none, or one that no page could have. */
export function checkOrigins(asked: readonly string[], mode: Config['mode']): readonly string[] {
  if (asked.length === 0 || asked.length > MOST_ORIGINS)
    throw refuseValue('origins', say`must name 1 to ${MOST_ORIGINS} origins`);
  for (const [nth, origin] of asked.entries())
    if (!isOrigin(origin, mode))
      throw refuseValue(
        `origins[${nth}]`,
        say`must be https://host or https://host:port in small letters, without a path; in a sandbox also http://localhost:port`,
      );
  return [...new Set(asked)];
}

function isOrigin(text: string, mode: Config['mode']): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || !HOST.test(url.hostname)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'sandbox' && LOCAL.has(url.hostname));
}
