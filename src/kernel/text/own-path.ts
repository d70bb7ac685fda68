/** Whether an address is one of this host, and of nobody else's, however a browser reads it. */
export function isOwnPath(address: unknown): address is string {
  return typeof address === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(address);
}
