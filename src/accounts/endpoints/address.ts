import ipaddr from 'ipaddr.js';
import type { Config } from '../../platform/config/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { isPublic } from '../../kernel/network.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

export const LONGEST_ENDPOINT = 2_048;

/** Days for which an endpoint may fail every time. */
export const PATIENCE_DAYS = 5;

/** Reason why an endpoint was switched off, in words that follow "since". */
export const DISABLED_REASONS = {
  answered_gone: 'it responded with 410 Gone',
  kept_failing: `all attempts failed for ${PATIENCE_DAYS} days`,
} as const;

export type DisabledReason = keyof typeof DISABLED_REASONS;

/** State of an account's default endpoint `e`, as columns. */
export const webhookState = sql`e.url as "webhookEndpoint", e.disabled_at as "webhookDisabledAt",
  e.disabled_reason as "webhookDisabledReason", case
    when e.url is null then 'none'
    when e.disabled_at is null then 'enabled'
    else 'disabled' end as "webhookStatus"`;

/** The default endpoint `e` of each account `r`. */
export const withDefaultEndpoint = sql`left join webhook_endpoint e on e.integrator = r.code and e.is_default`;

/** The default endpoint of an account, and how it fares. */
export interface WebhookState {
  readonly webhookEndpoint: string | null;
  readonly webhookDisabledAt: Date | null;
  readonly webhookStatus: 'none' | 'enabled' | 'disabled';
  readonly webhookDisabledReason: DisabledReason | null;
}

/** An address that webhooks may be sent to. Where its name leads is looked at again whenever something is sent. */
export function requireWebhookEndpoint(
  value: string,
  { webhooks: { allowPrivate, ports } }: Config,
  path = 'webhookEndpoint',
): string {
  const text = value.trim();
  if (text.length > LONGEST_ENDPOINT) throw refuseValue(path, say`must be at most ${LONGEST_ENDPOINT} characters`);
  if (!URL.canParse(text)) throw refuseValue(path, say`must be an address such as https://example.com/webhooks`);
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivate))
    throw refuseValue(path, say`must be an https address`);
  if (username || password) throw refuseValue(path, say`must not contain a user name or password`);
  if (hash) throw refuseValue(path, say`must not contain a fragment`);
  if (!allowPrivate && isPrivate(hostname)) throw refuseValue(path, say`must be a public address`);
  if (!allowPrivate && !ports.includes(Number(port || 443)))
    throw refuseValue(path, say`must use one of these ports: ${ports.join(', ')}`);
  return text;
}

/** True if a host is this machine, or an address that is not of the public internet. */
function isPrivate(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(bare)) return !isPublic(bare);
  return bare === 'localhost' || bare.endsWith('.localhost') || !bare.includes('.');
}
