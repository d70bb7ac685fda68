import ipaddr from 'ipaddr.js';

/**
 * All of IPv6 that is handed out for the public internet. What else its ranges do not name is not public, but
 * unassigned.
 */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** The length of the part of an IPv6 address that one customer has to itself. */
const IPV6_PREFIX_GROUPS = 4;

/**
 * True if an IP address is of the public internet; one that holds another (mapped, translated, tunnelled) is judged by
 * that one too.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** A name of at least two parts, in ASCII and lower case, as a browser writes it; an address is none. */
const HOST_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export function isHostName(text: string): boolean {
  return HOST_NAME.test(text) && URL.parse(`https://${text}`)?.hostname === text;
}

/** An IPv4 address as it is, and the network of an IPv6 address: who has one of those has them all. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, IPV6_PREFIX_GROUPS).join(':') : parsed.toString();
}
