import type { PaymentAdapter } from '../../../adapters/payment/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { requireEmail } from '../../../kernel/text/email.ts';
import { requirePayerPhone } from '../../../kernel/text/phone.ts';
import type { PaymentIntent } from '../find.ts';

/** The payer as typed. */
export interface PayerInput {
  readonly payerMsisdn?: string | null | undefined;
  readonly phoneCountry?: string | null | undefined;
  readonly payerEmail?: string | null | undefined;
}

/** The payer: null if not given. */
export interface Payer {
  readonly msisdn: string | null;
  readonly email: string | null;
}

export function readPayer({ payerMsisdn, phoneCountry, payerEmail }: PayerInput): Payer {
  return {
    msisdn: payerMsisdn == null ? null : requirePayerPhone('payerMsisdn', payerMsisdn, phoneCountry),
    email: payerEmail == null ? null : requireEmail('payerEmail', payerEmail),
  };
}

/** Refuses to collect from nobody where the channel collects from a phone; a sandbox warns instead. */
export function requirePayer(adapter: PaymentAdapter, intent: Pick<PaymentIntent, 'payerMsisdn' | 'channel'>): void {
  if (!adapter.stub && lacksPayer(adapter, intent)) throw refuseWithoutPhone(intent.channel);
}

export function refuseWithoutPhone(channel: string): Refusal {
  return refuseValue('payerMsisdn', `is required to collect through ${channel}`, 'payer_required');
}

export function lacksPayer(
  { needsPayer }: PaymentAdapter,
  { payerMsisdn }: Pick<PaymentIntent, 'payerMsisdn'>,
): boolean {
  return needsPayer && payerMsisdn === null;
}

/** A payer's address as the column `payer_email` of their intent holds it, until the intent is final. */
export function sealPayerEmail({ vault }: Pick<Call, 'vault'>, intent: string, email: string | null): Buffer | null {
  return email === null ? null : vault.seal('payer', intent, email);
}

export function openPayerEmail(
  { vault }: Pick<Call, 'vault'>,
  intent: string,
  sealed: Uint8Array | null,
): string | null {
  return sealed && vault.open('payer', intent, sealed);
}
