import { createHmac } from 'node:crypto';
import type { z } from '../../../src/kernel/zod.ts';
import { Decimal } from '../../../src/kernel/money.ts';
import { readMember, parseJson, redactObject, readTextMember } from '../../../src/adapters/http/members.ts';
import { word } from '../../../src/adapters/http/options.ts';
import { Peer } from '../../../src/adapters/http/peer.ts';
import {
  type CallbackPayload,
  type PaymentAdapter,
  type RawCallback,
  type ProviderStatus,
  onlyNext,
} from '../../../src/adapters/payment/port.ts';
import { identifyBytes, isEqualText } from '../../../src/adapters/payment/proof.ts';
import type { ConnectionSettings, PaymentProvider } from '../../../src/adapters/payment/provider.ts';

const options = { api_key: word };
const SIGNATURE = 'x-pesalink-signature';
const STATUSES: Readonly<Record<string, ProviderStatus['status']>> = {
  open: 'PENDING',
  paid: 'SUCCESSFUL',
  void: 'FAILED',
};

/** A payment provider that the rail does not ship: what one needs to be, and all that has to be written for it. */
export const pesalink: PaymentProvider<typeof options> = {
  name: 'pesalink',
  channel: 'card',
  markets: { KE: ['KES'] },
  options,
  callbackHeaders: [{ name: SIGNATURE, description: 'Hex HMAC-SHA256 of the body.' }],
  settles: { afterDays: 1, netOfFees: false },
  statement: {
    delimiter: ';',
    columns: {
      reference: 'Order',
      amount: 'Amount',
      currency: null,
      status: 'State',
      txnId: 'Id',
      settledAt: 'Paid at',
    },
    paid: ['paid'],
  },
  refunds: null,
  stub: { needsPayer: false },
  open: openPesalink,
};

async function openPesalink(
  given: z.output<z.ZodObject<typeof options>>,
  { name, peer: reached, secrets }: ConnectionSettings,
): Promise<PaymentAdapter> {
  const peer = new Peer(name, reached);
  const headers = { 'x-api-key': given.api_key };
  return {
    stub: false,
    get available() {
      return peer.available;
    },
    enquirable: true,
    needsPayer: false,
    reference: (intent) => intent,
    async initiate({ intent, amount, currency }) {
      const json = { order: intent, amount: amount.toNumber(), currency };
      const answer = await peer.ask({ method: 'POST', path: '/orders', headers, json, safe: true });
      if (answer.status !== 201) throw peer.failure('failed', `did not take the order: ${answer.status}`);
      return {
        reference: intent,
        nextAction: onlyNext('reference'),
        request: json,
        response: redactObject(answer.body),
      };
    },
    async verify({ intent }) {
      const answer = await peer.ask({ method: 'GET', path: `/orders/${intent}`, headers, safe: true });
      return providerStatusOf(answer.body);
    },
    parseCallback: (callback) => parseCallback(callback, secrets),
    close: () => peer.close(),
  };
}

function providerStatusOf(order: unknown): ProviderStatus {
  const amount = readTextMember(order, 'amount');
  return {
    status: STATUSES[readTextMember(order, 'state') ?? ''] ?? 'NOT_FOUND',
    txnId: readTextMember(order, 'id'),
    amount: amount === null ? null : new Decimal(amount),
    currency: readTextMember(order, 'currency'),
    settledAt: null,
    reason: null,
    response: redactObject(order),
  };
}

function parseCallback({ body, headers }: RawCallback, secrets: readonly string[]): CallbackPayload | null {
  const order = parseJson(body.toString('utf8'));
  const reference = readTextMember(readMember(order, 'order'));
  const signature = headers[SIGNATURE];
  if (reference === null) return null;
  const fits = (secret: string) =>
    isEqualText(createHmac('sha256', secret).update(body).digest('hex'), signature ?? '');
  const proof = signature == null ? 'unsigned' : secrets.some(fits) ? 'signed' : 'forged';
  return { eventId: identifyBytes(body), intent: null, reference, proof, claimed: providerStatusOf(order) };
}
