/** Longest address that is kept to return somebody to. */
export const LONGEST_RETURN = 500;

/** True if an address is on this host and no other, in any browser's reading. */
export function isOwnPath(address: unknown): address is string {
  return typeof address === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(address);
}
