import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from './waiting.ts';

export interface Receiver {
  readonly url: string;
  /**
   * The first message of a type, about some object or any, at some path or any, with whether its signature is right;
   * null where none comes.
   */
  next(
    type: string,
    secret: string,
    about?: string,
    at?: string,
  ): Promise<{ message: unknown; genuine: boolean } | null>;
  close(): void;
}

const SECONDS = 10;

/** An integrator's endpoint, for as long as the demo lasts. */
export async function openReceiver(): Promise<Receiver> {
  const received: { path: string; body: string; signature: string }[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received.push({
        path: req.url!,
        body: Buffer.concat(chunks).toString(),
        signature: String(req.headers['x-service-signature']),
      });
      res.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async next(type, secret, about, at) {
      const find = () =>
        received.find(({ path, body }) => {
          if (at !== undefined && path !== at) return false;
          const message = JSON.parse(body) as { type: string; data: { object: { name?: string } } };
          return message.type === type && (about === undefined || message.data.object.name === about);
        }) ?? null;
      const found = await waitFor(SECONDS, find);
      return found && { message: JSON.parse(found.body), genuine: isGenuine(secret, found.body, found.signature) };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Check for every receiver: the hex HMAC-SHA256 of the body, in constant time. */
function isGenuine(secret: string, body: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return /^[0-9a-f]{64}$/.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}
