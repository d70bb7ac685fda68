/** Page for staff who did not ask for one. */
const HOME = '/work';
const LONGEST_PATH = 500;

/**
 * The address on this host that somebody wanted to go to, whole, so that no browser can read its path as another host;
 * the start page where what they asked for is anything else.
 */
export function resolveReturn(origin: string, wanted: string | null | undefined): string {
  const home = new URL(HOME, origin).href;
  if (!wanted?.startsWith('/') || wanted.length > LONGEST_PATH || !URL.canParse(wanted, origin)) return home;
  const target = new URL(wanted, origin);
  return target.origin === new URL(origin).origin && target.username === '' ? target.href : home;
}
