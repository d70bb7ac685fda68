import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublic } from '../../../src/kernel/network.ts';
import { ForbiddenAddress, makeWebhookAgent } from '../../../src/accounts/webhooks/guard.ts';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let server: Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((_req, res) => {
    requests++;
    res.end();
  });
  await new Promise<void>((listening) => server.listen(0, '::', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>((closed) => server.close(() => closed())));

/** This machine, in the spellings that URLs know. */
const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.0x0.0x0.0x1',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
];

/** Addresses that are not of the public internet, some in several spellings: at most told, never connected to. */
const NON_PUBLIC = [
  ...Array.from({ length: 40 }, (_, i) => `10.${i * 6}.${i}.1`),
  ...Array.from({ length: 16 }, (_, i) => `172.${16 + i}.0.1`),
  ...Array.from({ length: 30 }, (_, i) => `192.168.${i * 8}.1`),
  ...Array.from({ length: 16 }, (_, i) => `100.${64 + i * 4}.0.1`),
  ...Array.from({ length: 10 }, (_, i) => `169.254.${i * 20}.254`),
  ...Array.from({ length: 16 }, (_, i) => `${224 + i}.0.0.1`),
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '255.255.255.255',
  '3232235521',
  '0xc0a80001',
  '192.0.0.1',
  '198.18.0.1',
  ...Array.from({ length: 16 }, (_, i) => `[fc${i.toString(16)}0::1]`),
  ...Array.from({ length: 4 }, (_, i) => `[fe${(8 + i).toString(16)}0::1]`),
  ...Array.from({ length: 10 }, (_, i) => `[::ffff:10.0.${i}.1]`),
  ...Array.from({ length: 10 }, (_, i) => `[64:ff9b::a00:${i.toString(16)}]`),
  ...Array.from({ length: 6 }, (_, i) => `[2002:a00:${i}::1]`),
  ...Array.from({ length: 4 }, (_, i) => `[ff0${i + 1}::1]`),
  '[2001:db8::1]',
  '[fd00:ec2::254]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[1000::1]',
  '[4000::1]',
  '[8000::1]',
  '[e000::1]',
];

describe('a webhook endpoint that is not of the public internet', () => {
  it('is refused when it is set: 200 spellings', async () => {
    const actor = await makeActor(rail);
    expect(LOOPBACK.length + NON_PUBLIC.length).toBeGreaterThanOrEqual(200);
    for (const host of [...LOOPBACK, ...NON_PUBLIC]) {
      const answer = await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: `https://${host}/hook` } });
      expect([answer.status, answer.json.error?.details?.[0]?.path], host).toEqual([422, 'webhook_endpoint']);
    }
  });

  it('is none that an address check lets pass', () => {
    for (const host of NON_PUBLIC) {
      // As a URL has it, and so what would be connected to.
      const literal = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
      expect(isPublic(literal), host).toBe(false);
    }
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])
      expect(isPublic(address), address).toBe(true);
    for (const address of ['', 'nonsense', '127.0.0.1.example']) expect(isPublic(address), address).toBe(false);
  });

  it('is never connected to, in any spelling of this machine', async () => {
    const agent = await makeWebhookAgent({ allowPrivate: false, ports: [port] });
    for (const host of LOOPBACK) {
      const error = await request(`http://${host}:${port}/`, { dispatcher: agent }).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(error, host).toBeInstanceOf(Error);
    }
    expect(requests).toBe(0);
    await agent.close();
    const open = await makeWebhookAgent({ allowPrivate: true, ports: [] });
    expect((await request(`http://127.0.0.1:${port}/`, { dispatcher: open })).statusCode).toBe(200);
    await open.close();
  });

  it('is not reached by a name that leads to a public address once and to a private one next', async () => {
    let asked = 0;
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '::1', family: 6 }],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
      [],
    ];
    const agent = await makeWebhookAgent({ allowPrivate: false, ports: [port] }, (_hostname, _options, done) =>
      done(null, answers[asked++ % answers.length]!),
    );
    const before = requests;
    for (let i = 0; i < 8; i++) {
      await expect(request(`http://rebinding.example:${port}/`, { dispatcher: agent })).rejects.toThrow(
        ForbiddenAddress,
      );
    }
    expect([requests, asked]).toEqual([before, 8]);
    await agent.close();
  });

  it('is told of in the same words where a name is unknown, and where it is that of something inside', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const said = [];
    for (const [error, addresses] of [
      [unknown, []],
      [null, [{ address: '10.0.0.7', family: 4 }]],
    ] as const) {
      const agent = await makeWebhookAgent({ allowPrivate: false, ports: [port] }, (_hostname, _options, done) =>
        done(error, [...addresses]),
      );
      const reason: unknown = await request(`http://inside.example:${port}/`, { dispatcher: agent }).catch(
        (failure: unknown) => failure,
      );
      expect(reason).toBeInstanceOf(ForbiddenAddress);
      said.push(String(reason));
      await agent.close();
    }
    expect(new Set(said).size).toBe(1);
  });

  it('is none whose port is that of no web server', async () => {
    const actor = await makeActor(rail);
    const save = async (endpoint: string) =>
      (await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: endpoint } })).status;
    for (const closed of ['22', '25', '80', '5432', '8080'])
      expect(await save(`https://example.com:${closed}/hook`), closed).toBe(422);
    for (const open of ['', ':443', ':8443']) expect(await save(`https://example.com${open}/hook`), open).toBe(200);
    const before = requests;
    const agent = await makeWebhookAgent({ allowPrivate: false, ports: [443] }, () =>
      expect.fail('a name was looked up'),
    );
    await expect(request(`https://example.com:${port}/`, { dispatcher: agent })).rejects.toThrow(
      'not sent to this port',
    );
    expect(requests).toBe(before);
    await agent.close();
  });
});
