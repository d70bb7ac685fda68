import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: {
    id: string;
    type: string;
    sequence: number;
    created_at: string;
    data: { object: Record<string, unknown> & { name: string } };
  };
}

export interface Sink {
  readonly url: string;
  readonly received: Received[];
  /** Its answer; 200 by default. */
  answer: (message: Received, res: ServerResponse) => void;
  close(): Promise<void>;
}

/** A receiver of webhooks in this process, which keeps what it is sent. */
export async function openSink(): Promise<Sink> {
  const sink: { received: Received[]; answer: Sink['answer'] } = {
    received: [],
    answer: (_message, res) => void res.end('ok'),
  };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const message: Received = { at: Date.now(), path: req.url!, headers: req.headers, body, json: JSON.parse(body) };
      sink.received.push(message);
      sink.answer(message, res);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return Object.assign(sink, {
    url: `http://127.0.0.1:${port}/hook`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  });
}
