import { describe, expect, it } from 'vitest';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdapterFailure } from '../../src/adapters/failure.ts';
import { Peer, type PeerOptions } from '../../src/adapters/http/peer.ts';
import { openAirtelMoney } from '../../src/adapters/payment/airtel-money/adapter.ts';
import { Decimal } from '../../src/kernel/money.ts';
import { HOUR_MS } from '../../src/kernel/time.ts';
import { simulateAirtelMoney } from '../../src/sandbox/simulators/airtel-money.ts';
import { SMOOTH } from '../../src/sandbox/simulators/books.ts';
import { DEADLINES } from '../harness/run/deadlines.ts';
import { createAssessed, createPending, makeActor } from '../harness/flow.ts';
import { makeLink } from '../harness/people/link.ts';
import { collect, hold, initiate, startOutsideRail, planNext } from '../harness/outside.ts';
import { passTime, setBack } from '../harness/run/wait.ts';

/** Pause of an endpoint that keeps failing. */
const REST_MS = 60_000;
const held = startOutsideRail({ MAX_IN_FLIGHT: '2' }, { breaker_failures: 3, breaker_rest_ms: REST_MS });
const { rail } = held;

let numbers = 0;
const someNumber = () => `+25677212${String(3_000 + numbers++)}`;

const payments = async () => {
  const { plaintext: key } = await rail.key('catalogue.read');
  const { data } = await rail.ask('/v1/integrations', { key });
  return data.UG.payment as { status: string; channels: string[] }[];
};

describe('an aggregator that only fails', () => {
  it('is left alone for a while, is then unavailable to integrators too, and comes back', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'mtn_momo', { callback: 'lost' });
    const link = await makeLink(rail, actor, await createAssessed(rail, actor));
    const offered = async () => (await link.page()).ways.map(({ channel }: { channel: string }) => channel);
    expect(await offered()).toContain('mtn_momo');
    expect(await payments()).toEqual([
      { status: 'sandbox', channels: ['mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd'] },
    ]);
    held.outside.mtn.trouble.down = 'refusing';
    await expect
      .poll(
        async () => (await collect(rail, await makeActor(rail), 'mtn_momo', someNumber())).answer.json.error.message,
      )
      .toBe('mtn_momo keeps failing and is left alone for a moment. Nothing was changed; it is safe to try again');
    expect(await payments()).toEqual([
      { status: 'unavailable', channels: ['mtn_momo'] },
      { status: 'sandbox', channels: ['airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd'] },
    ]);
    expect((await rail.ask('/metrics')).text).toMatch(/^adapter_available\{adapter="mtn_momo"\} 0$/m);
    expect(await offered()).not.toContain('mtn_momo');
    held.outside.mtn.trouble.down = 'no';
    passTime(REST_MS);
    expect(await offered()).toContain('mtn_momo');
    expect((await collect(rail, actor, 'mtn_momo')).answer.status).toBe(200);
    expect(await payments()).toHaveLength(1);
    expect((await rail.ask('/metrics')).text).toMatch(/^adapter_available\{adapter="mtn_momo"\} 1$/m);
  });

  it('refuses nothing by that, even before it is asked to collect', async () => {
    held.outside.card.trouble.down = 'refusing';
    const actor = await makeActor(rail);
    expect((await collect(rail, actor, 'card')).answer).toMatchObject({ status: 502, code: 'adapter_failed' });
    held.outside.card.trouble.down = 'no';
    // Its tries have opened the breaker.
    passTime(REST_MS);
    expect((await collect(rail, actor, 'card')).answer.status).toBe(200);
  });

  it('is not thought to fail by what it refuses, even where it does so as an error of its own', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    for (let i = 0; i < 5; i++) {
      const refused = await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256772123404' });
      expect([refused.status, refused.json.error.message]).toEqual([
        422,
        'mtn_momo refused the collection: PAYER_NOT_FOUND',
      ]);
    }
    expect(await payments()).toHaveLength(1);
  });
});

describe('an aggregator that is slow', () => {
  it('keeps nobody from being answered who does not wait for it', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'mtn_momo', { callback: 'lost' });
    const intents: string[] = [];
    for (let i = 0; i < 4; i++) intents.push((await createPending(rail, actor)).intent);
    const { waiting, letGo } = hold(held.outside.mtn.trouble);
    const slow = intents.map((intent) => initiate(actor, intent));
    await expect.poll(waiting).toBeGreaterThan(0);
    const quick = await Promise.all(Array.from({ length: 4 }, () => actor.ask('/v1/citizens?limit=1')));
    expect(quick.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    letGo();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('a token', () => {
  it('is fetched once for many calls, and again when it ends or is refused', async () => {
    const actor = await makeActor(rail);
    const { tokens } = held.outside.airtel;
    planNext(held.outside, 'airtel_money', { callback: 'lost' });
    await collect(rail, actor, 'airtel_money');
    const before = tokens.count;
    await Promise.all(Array.from({ length: 3 }, () => collect(rail, actor, 'airtel_money')));
    expect(tokens.count).toBe(before);
    tokens.revokeAll();
    const answers = await Promise.all(Array.from({ length: 3 }, () => collect(rail, actor, 'airtel_money')));
    expect(answers.map(({ answer }) => answer.status)).toEqual([200, 200, 200]);
    expect(tokens.count).toBe(before + 1);
    passTime(tokens.lifeSeconds * 1_000);
    expect((await collect(rail, actor, 'airtel_money')).answer.status).toBe(200);
    expect(tokens.count).toBe(before + 2);
  });
});

describe('a collection that was sent', () => {
  it('may have been taken, even if the enquiry about it is not sent', async () => {
    const airtel = await simulateAirtelMoney({ callback: () => '', secret: 'secret' });
    airtel.control.plan = () => ({ ...SMOOTH, answer: 'error' });
    const { url, ...options } = airtel.connection;
    const peer = { url, timeoutMs: 1_000, concurrency: 1, breakerFailures: 1, breakerRestMs: 60_000 };
    const adapter = openAirtelMoney(options, { name: 'airtel_money', peer, secrets: [], origin: () => '' });
    const order = {
      intent: 'PI-1',
      reference: 'PI-1',
      sender: null,
      amount: new Decimal(1_000),
      currency: 'UGX',
      payerMsisdn: '+256772123456',
      payerEmail: null,
      returnUrl: null,
      repeated: false,
      accepted: false,
      createdAt: new Date(),
      askedAt: new Date(),
      splits: [{ mda: 'URA', amount: new Decimal(1_000), account: '1' }],
    };
    await expect(adapter.initiate(order)).rejects.toMatchObject({ kind: 'failed', mayHaveDone: true });
    expect(airtel.books.entries.size).toBe(1);
    await expect(adapter.initiate(order)).rejects.toMatchObject({ kind: 'unavailable', mayHaveDone: false });
    await adapter.close!();
    await airtel.close();
  });
});

describe('a peer', () => {
  const options = { timeoutMs: DEADLINES.event, concurrency: 2, breakerFailures: 100, breakerRestMs: 100 };

  async function serve(answer: (n: number, res: ServerResponse) => void, more: Partial<PeerOptions> = {}) {
    let asked = 0;
    const server = createServer((_req, res) => answer(++asked, res));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const peer = new Peer('peer', { ...options, ...more, url: `http://127.0.0.1:${port}` });
    const close = async () => {
      server.closeAllConnections();
      await peer.close();
      server.close();
    };
    return { peer, count: () => asked, close };
  }

  it('repeats safe calls, at most twice, and no others', async () => {
    const { peer, count, close } = await serve(
      (n, res) => void res.writeHead(n % 3 === 0 ? 200 : 503).end('{"fine":true}'),
    );
    expect(await peer.ask({ method: 'GET', path: '/', safe: true })).toEqual({
      status: 200,
      body: { fine: true },
      repeated: true,
    });
    expect(count()).toBe(3);
    expect(await peer.ask({ method: 'POST', path: '/', json: {}, safe: false })).toMatchObject({ status: 503 });
    expect(count()).toBe(4);
    await close();
  });

  it('says what became of the try that was sent, even if it is left alone before the next one', async () => {
    const safe = { method: 'POST', path: '/', json: {}, safe: true } as const;
    const impatient = { timeoutMs: 300, breakerFailures: 1, breakerRestMs: 60_000 };
    const silent = await serve(() => {}, impatient);
    await expect(silent.peer.ask(safe)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(silent.peer.ask(safe)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(silent.count()).toBe(1);
    await silent.close();
    const unwell = await serve((_n, res) => void res.writeHead(503).end('{}'), impatient);
    expect(await unwell.peer.ask(safe)).toEqual({ status: 503, body: {} });
    await unwell.close();
  });

  it('is left alone once it fails for several senders, whatever one of them sends and whatever one number does', async () => {
    const { peer, close } = await serve((_n, res) => void res.destroy(), {
      breakerFailures: 3,
      breakerRestMs: REST_MS,
    });
    const ask = async (sender: string, number: string) => {
      const calledFor = { sender, number };
      const asked = peer.ask({ method: 'POST', path: '/', json: {}, safe: false, calledFor });
      return asked.catch(({ kind }: AdapterFailure) => kind);
    };
    for (let nth = 0; nth < 6; nth++) expect(await ask('ACC-1', String(nth))).toBe('failed');
    for (let nth = 2; nth < 8; nth++) expect(await ask(`ACC-${nth}`, '1')).toBe('failed');
    expect(await ask('ACC-2', '12')).toBe('failed');
    expect([await ask('ACC-3', '13'), peer.available]).toEqual(['failed', false]);
    expect(await ask('ACC-4', '14')).toBe('unavailable');
    setBack(HOUR_MS);
    expect([await ask('ACC-4', '14'), peer.available]).toEqual(['unavailable', false]);
    passTime(REST_MS);
    expect([peer.available, await ask('ACC-4', '14')]).toEqual([true, 'failed']);
    await close();
  });

  it('is left alone where it is not reached, whoever calls', async () => {
    const gone = new Peer('peer', {
      ...options,
      breakerFailures: 3,
      breakerRestMs: REST_MS,
      url: 'http://127.0.0.1:1',
    });
    const calledFor = { sender: 'ACC-1', number: '1' };
    for (let nth = 0; nth < 3; nth++)
      await expect(gone.ask({ method: 'POST', path: '/', safe: false, calledFor })).rejects.toMatchObject({
        kind: 'failed',
      });
    expect(gone.available).toBe(false);
    await gone.close();
  });

  it('calls no more at a time than it may, and turns down what would wait too long', async () => {
    const open: ServerResponse[] = [];
    const { peer, count, close } = await serve((_n, res) => void open.push(res));
    const asked = Promise.allSettled(
      Array.from({ length: 20 }, () => peer.ask({ method: 'GET', path: '/', safe: true })),
    );
    for (let answered = 0; answered < 10; answered += 2) {
      await expect.poll(() => open.length).toBe(2);
      expect(count()).toBe(answered + 2);
      for (const res of open.splice(0)) res.end('{}');
    }
    const outcomes = await asked;
    expect(count()).toBe(10);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')!;
    expect(refused.reason).toMatchObject({ kind: 'unavailable', message: 'peer has more calls to answer than it can' });
    await close();
  });

  it('says what went wrong and nothing of the address', async () => {
    const hang = (n: number, res: ServerResponse) => void (n > 1 && res.destroy());
    const { peer, close } = await serve(hang, { timeoutMs: 300 });
    const slow = await peer
      .ask({ method: 'POST', path: '/?nin=CM1', json: {}, safe: false })
      .catch((error: unknown) => error);
    expect(slow).toMatchObject({ kind: 'timeout', message: 'peer did not answer in time' });
    const cut = await peer
      .ask({ method: 'POST', path: '/?nin=CM1', json: {}, safe: false })
      .catch((error: unknown) => error);
    expect(cut).toBeInstanceOf(AdapterFailure);
    expect((cut as Error).message).toMatch(/^peer could not be reached: [A-Z_]+$/);
    await close();
  });

  it('takes an answer that is not JSON, or too long, for none', async () => {
    const { peer, close } = await serve((n, res) => void res.end(n === 1 ? '<html>' : 'x'.repeat(2_000_000)));
    expect(await peer.ask({ method: 'GET', path: '/', safe: true })).toEqual({ status: 200, body: null });
    await expect(peer.ask({ method: 'POST', path: '/', safe: false })).rejects.toMatchObject({ kind: 'failed' });
    await close();
  });
});
