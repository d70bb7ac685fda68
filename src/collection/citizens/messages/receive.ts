import { isEqualText } from '../../../adapters/payment/proof.ts';
import type { SmsGateway } from '../../../adapters/sms/gateway.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { type TextAnswer, hearText } from './stop.ts';

/** A gateway's post, as it came. */
export interface Posted {
  readonly gateway: string;
  readonly body: Buffer;
  /** The secret in the address that the gateway was given. */
  readonly proof: string | null | undefined;
}

/** Decision on a gateway's post. */
export type GatewayAnswer = TextAnswer | 'delivered' | 'failed';

/** Books whether a text arrived. A repetition, a text that is unknown, and what is no end of it, change nothing. */
export async function receiveReport(call: Call, posted: Posted): Promise<GatewayAnswer> {
  const { gateway, report } = await admit(call, posted, (from, fields) => {
    const read = from.readReport(fields);
    return read && { gateway: from.name, report: read };
  });
  const { id, outcome, reason } = report;
  if (outcome === null) return 'ignored';
  const at = call.now();
  const [status, deliveredAt] = outcome === 'delivered' ? (['Delivered', at] as const) : (['Failed', null] as const);
  const row = await call.db.row(sql`
    update payer_message set status = ${status}::payer_message_status, delivered_at = ${deliveredAt}::timestamptz,
      failure = ${reason}, updated_at = ${at}
    where gateway = ${gateway} and gateway_id = ${id} and status = 'Sent' returning name`);
  return row ? outcome : 'ignored';
}

/** Takes a text that somebody sent to the rail. */
export async function receiveText(call: Call, posted: Posted): Promise<GatewayAnswer> {
  return hearText(call, await admit(call, posted, (gateway, fields) => gateway.readText(fields)));
}

/**
 * Reads what a gateway posts. Gateways do not sign: a secret in the address proves them. What proves itself costs its
 * address nothing; anything else counts as an anonymous request.
 */
async function admit<Read>(
  { rail: { sms, limits }, config, transport: { source } }: Call,
  { gateway: name, body, proof }: Posted,
  read: (gateway: SmsGateway, fields: URLSearchParams) => Read | null,
): Promise<Read> {
  let proven = false;
  try {
    const gateway = sms.get(name);
    if (!gateway) throw new Refusal('not_found', 'The gateway does not exist');
    const secrets = config.smsSecrets[name] ?? [];
    proven = proof != null && secrets.some((secret) => isEqualText(secret, proof));
    if (!proven && (proof != null || config.mode === 'live'))
      throw new Refusal('invalid_signature', 'The address has no secret of this gateway');
    const said = read(gateway, new URLSearchParams(body.toString('utf8')));
    if (!said) throw refuseValue('body', 'must be a form as the gateway posts it');
    return said;
  } finally {
    if (!proven) await limits.countAnonymous(source.address);
  }
}
