/** How long the address may be that somebody is on their way to, where it is kept for them. */
export const LONGEST_RETURN = 500;

/** Whether an address is one of this host, and of nobody else's, however a browser reads it. */
export function isOwnPath(address: unknown): address is string {
  return typeof address === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(address);
}
