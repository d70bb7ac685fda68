import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../../src/adapters/payment/providers.ts';
import {
  createApplication,
  readParameter,
  serveApplication,
  createTrouble,
} from '../../../src/sandbox/simulators/web.ts';
import { ConfigError } from '../../../src/kernel/refusal.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createAssessedFor, createInitiated, makeActor, createPendingFor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { pesalink } from './provider.ts';

const SECRET = 'callbacks-of-pesalink';
const providers = [...PROVIDERS, pesalink];
const folder = mkdtempSync(join(tmpdir(), 'rail-fifth-'));
const connections = join(folder, 'connections.json');

interface Order {
  readonly order: string;
  readonly amount: number;
  readonly currency: string;
  id: string;
  state: 'open' | 'paid';
}

/** Somebody who collects, as far as the provider's protocol goes. */
const orders = new Map<string, Order>();
const app = createApplication(createTrouble());
app.post('/orders', (req, res) => {
  const body = req.body as Pick<Order, 'order' | 'amount' | 'currency'>;
  if (req.headers['x-api-key'] !== 'key-of-the-rail') return void res.sendStatus(401);
  orders.set(body.order, { ...body, id: `L-${orders.size + 1}`, state: 'open' });
  res.status(201).json(orders.get(body.order));
});
app.get(
  '/orders/:order',
  (req, res) => void res.json(orders.get(req.params.order) ?? { state: readParameter(req, 'none') }),
);
const serving = serveApplication(app);

const rail = testRail(async () => {
  const connection = { provider: 'pesalink', country: 'KE', url: (await serving).url, api_key: 'key-of-the-rail' };
  writeFileSync(connections, JSON.stringify({ providers: [connection] }));
  return { CONNECTIONS: connections, WEBHOOK_SECRET_PESALINK: SECRET };
}, providers);

afterAll(async () => {
  await (await serving).close();
  rmSync(folder, { recursive: true, force: true });
});

async function ordered() {
  const actor = await makeActor(rail);
  const { assessment } = await createAssessedFor(rail, actor, 'KE-KRA-TOT');
  const intent = await createPendingFor(actor, assessment, 'card');
  await createInitiated(actor, intent);
  return { actor, intent, assessment, order: orders.get(intent)! };
}

function callBack(order: Order, secret = SECRET) {
  const body = JSON.stringify(order);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return rail.ask('/v1/webhooks/pesalink', { body, headers: { 'X-Pesalink-Signature': signature } });
}

describe('a payment provider that is only described', () => {
  it('collects, and is believed by the headers that it signs', async () => {
    const { actor, intent, assessment, order } = await ordered();
    expect((await actor.ask(`/v1/payment-intents/${intent}`)).data).toMatchObject({
      status: 'Sent',
      next_action: { type: 'reference', url: null, expires_at: null },
      channel: 'card',
      aggregator: 'pesalink',
    });
    order.state = 'paid';
    expect(await callBack(order, 'another-secret-0001')).toMatchObject({ status: 401, code: 'invalid_signature' });
    expect((await callBack(order)).data).toEqual({ decision: 'confirmed', intent });
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Paid');
  });

  it('is asked about what nobody heard of', async () => {
    const { actor, intent, order } = await ordered();
    order.state = 'paid';
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    expect((await actor.ask(`/v1/payment-events?intent=${intent}`)).data).toMatchObject([
      { mda: 'KE-KRA', txn_id: order.id },
    ]);
  });

  it('has its statements read', async () => {
    const { actor, intent, order } = await ordered();
    order.state = 'paid';
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const admin = await makeStaff(rail, 'admin');
    const body = `Id;Order;Amount;State;Paid at\n${order.id};${intent};${order.amount};PAID;2026-11-22T09:00:00Z\n`;
    const path = '/v1/ops/reconciliation/statements?provider=pesalink';
    expect((await admin.ask(path, { body, headers: { 'content-type': 'text/csv' } })).data).toMatchObject({
      matched: 1,
      missing_here: 0,
    });
  });

  it('is where its connection says, and nowhere else', async () => {
    const actor = await makeActor(rail);
    const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const { status, json } = await actor.post('/v1/payment-intents', { assessment, channel: 'card' });
    expect([status, json.error.details[0].code]).toEqual([422, 'currency_not_collected']);
    const { plaintext: key } = await rail.key('catalogue.read');
    const { data } = await rail.ask('/v1/integrations', { key });
    expect(data.UG.payment.find(({ status: how }: { status: string }) => how === 'unavailable').channels).toEqual([
      'card',
    ]);
    expect(data.KE.payment).toEqual([
      { status: 'sandbox', channels: ['mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd'] },
    ]);
  });

  it('is in the description of the API and in the metrics, and its secret is needed in live mode where it is connected', async () => {
    const { parameters } = (await rail.ask('/v1/openapi.json')).json.paths['/v1/webhooks/{provider}'].post;
    expect(parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'x-pesalink-signature' }));
    expect((await rail.ask('/metrics')).text).toContain('adapter_available{adapter="pesalink"} 1');
    const live = { ...LIVE, DATABASE_URL: 'postgresql://rail@db/rail', CONNECTIONS: connections };
    expect(() => readConfig(live, providers)).toThrow(new ConfigError('WEBHOOK_SECRET_PESALINK: needed in live mode'));
    expect(readConfig({ ...live, CONNECTIONS: '' }, providers).mode).toBe('live');
  });
});
