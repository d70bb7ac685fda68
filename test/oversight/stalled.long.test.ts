import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { expect, it } from 'vitest';
import { seedHistory } from '../../src/sandbox/history.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
const EVENTS = '/v1/oversight/payment-events';

/** Sends a request on a connection of its own, and reads its head alone. */
async function askAndStall(
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<{ head: string; socket: Socket }> {
  const socket = connect(Number(new URL(rail.origin).port), '127.0.0.1').pause();
  const lines = Object.entries({
    Host: 'rail',
    ...headers,
    ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }),
  });
  socket.write(
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  return { head: String(socket.read(400)), socket };
}

it('whoever takes nothing of an export or a stream for a minute or two is cut off, and gives its place back', async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: 60_000, years: 1, agencies: 4, seed: 1 }));
  const authorization = `Bearer ${(await rail.key('oversight.read')).plaintext}`;
  const query = JSON.stringify({
    query:
      'subscription { oversight(after: "0") { cursor item { ... on AnyPaymentEvent { id agencyId amount currency } } } }',
  });
  const exporting = { authorization, accept: 'text/csv' };
  const streaming = { authorization, accept: 'text/event-stream', 'content-type': 'application/json' };
  const startedAt = Date.now();
  const stalled = await Promise.all([
    ...Array.from({ length: 2 }, () => askAndStall(EVENTS, exporting)),
    ...Array.from({ length: 5 }, () => askAndStall('/graphql', streaming, query)),
  ]);
  for (const { head } of stalled) expect(head).toContain('HTTP/1.1 200');

  const ask = async (path: string, init: RequestInit) => {
    const leaving = new AbortController();
    const { status } = await fetch(rail.origin + path, { ...init, signal: leaving.signal });
    leaving.abort();
    return status;
  };
  const oneMore = {
    export: () => ask(`${EVENTS}?limit=1`, { headers: exporting }),
    stream: () => ask('/graphql', { method: 'POST', headers: streaming, body: query }),
  };
  for (const [kind, one] of Object.entries(oneMore)) expect(await one(), kind).toBe(429);
  for (const [kind, one] of Object.entries(oneMore))
    await expect.poll(one, { message: kind, timeout: 150_000, interval: 1_000 }).toBe(200);
  const cutOffMs = Date.now() - startedAt;
  expect(cutOffMs).toBeGreaterThan(55_000);
  expect(cutOffMs).toBeLessThan(135_000);
  for (const { socket } of stalled) socket.destroy();
}, 400_000);
