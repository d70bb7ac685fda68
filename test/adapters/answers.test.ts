import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlutterwave } from '../../src/adapters/payment/flutterwave/adapter.ts';
import { openMtnMomo } from '../../src/adapters/payment/mtn-momo/adapter.ts';
import type { PaymentAdapter } from '../../src/adapters/payment/port.ts';
import { Decimal } from '../../src/kernel/money.ts';
import { DEADLINES } from '../harness/run/deadlines.ts';

const intent = 'PI-2026-11-000001';
const collection = {
  intent,
  reference: intent,
  amount: new Decimal(143_000),
  currency: 'UGX',
  payerMsisdn: '+256772123456',
  createdAt: new Date(),
  accepted: true,
  askedAt: new Date(),
};

/** The answer to the next enquiry, byte for byte. */
let answer = '';
const respond: RequestListener = (req, res) =>
  void res.end(req.url!.includes('token') ? '{"access_token":"t","expires_in":3600}' : answer);
const server = createServer(respond);
let mtn: PaymentAdapter;
let card: PaymentAdapter;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const peer = { url, timeoutMs: DEADLINES.event, concurrency: 2, breakerFailures: 100, breakerRestMs: 100 };
  const settings = { name: 'peer', peer, secrets: ['secret'], origin: () => url };
  const keys = { subscription_key: 'k', api_user: 'u', api_key: 'a', target_environment: 'mtnuganda' };
  mtn = openMtnMomo(keys, settings);
  card = openFlutterwave({ secret_key: 's' }, settings);
});
afterAll(async () => {
  await mtn.close!();
  await card.close!();
  server.close();
});

const status = (more: string) => `{"externalId":"${intent}","currency":"UGX","status":"SUCCESSFUL",${more}}`;
const charge = (more: string) => `{"data":{"tx_ref":"${intent}","currency":"UGX","status":"successful",${more}}}`;

describe('an answer of a provider', () => {
  it.each(['12345678901234567890', '9007199254740993', '90071992547409930000000001', '-12345678901234567890'])(
    'keeps each digit of the transaction %s',
    async (id) => {
      answer = status(`"amount":143000,"financialTransactionId":${id}`);
      expect(await mtn.verify(collection)).toMatchObject({ txnId: id, response: { financialTransactionId: id } });
      answer = charge(`"amount":143000,"id":${id}`);
      expect((await card.verify(collection)).txnId).toBe(id);
    },
  );

  it.each([
    '143000',
    '143000.00',
    '"143000"',
    '"143,000"',
    '"143,000.00"',
    '"143 000"',
    '"UGX 143,000"',
    '"\u00a0143\u202f000"',
  ])('has the amount %s', async (amount) => {
    for (const [adapter, body] of [
      [mtn, status],
      [card, charge],
    ] as const) {
      answer = body(`"amount":${amount}`);
      expect((await adapter.verify(collection)).amount?.toNumber()).toBe(143_000);
    }
  });

  it.each(['null', '""', '"about 143000"', '"1,43,000"', '"143.000,00"', '1.43e400', '{"value":143000}'])(
    'did not say how much was paid with %s, which is no other amount',
    async (amount) => {
      for (const [adapter, body] of [
        [mtn, status],
        [card, charge],
      ] as const) {
        answer = body(`"amount":${amount}`);
        await expect(adapter.verify(collection)).rejects.toThrow('did not say how much was paid');
      }
    },
  );

  it('may begin with a byte order mark', async () => {
    answer = `\ufeff${status('"amount":143000')}`;
    expect((await mtn.verify(collection)).status).toBe('SUCCESSFUL');
  });
});
