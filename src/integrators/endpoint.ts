import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import { invalid } from '../refusal.ts';

export const LONGEST_ENDPOINT = 2_048;

/** An address that webhooks may be sent to. Where its name leads is looked at again whenever something is sent. */
export function webhookEndpoint(value: string, { webhookAllowPrivate }: Config): string {
  const path = 'webhook_endpoint';
  const text = value.trim();
  if (text.length > LONGEST_ENDPOINT) throw invalid(path, `must be at most ${LONGEST_ENDPOINT} characters`);
  if (!URL.canParse(text)) throw invalid(path, 'must be an address such as https://example.com/webhooks');
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && webhookAllowPrivate)) throw invalid(path, 'must be an https address');
  if (username || password) throw invalid(path, 'must not carry a user name or password');
  if (hash) throw invalid(path, 'must not carry a fragment');
  if (!webhookAllowPrivate && isPrivate(hostname)) throw invalid(path, 'must be a public address');
  return text;
}

/** Whether a host is this machine, or an address that is not of the public internet. */
function isPrivate(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).range() !== 'unicast';
  return bare === 'localhost' || bare.endsWith('.localhost') || !bare.includes('.');
}
