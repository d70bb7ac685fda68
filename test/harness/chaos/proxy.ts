import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';

/** The proxy's answer to its client if a process dropped the request. */
export const DROPPED = 599;

export interface Proxy {
  readonly origin: string;
  /** Targets of requests, in turns. A restarted process has another address. */
  readonly upstreams: string[];
  close(): Promise<void>;
}

/**
 * A load balancer of the simple kind: in turns, on connections that it keeps, and to the next process only where one
 * refuses the connection. What a process has taken is never sent again, so that nothing hides a request that it
 * dropped.
 */
export async function startProxy(origins: readonly string[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const upstreams = [...origins];
  let turn = 0;

  const forward = (req: IncomingMessage, res: ServerResponse, body: Buffer, at: number, tries: number): void => {
    const upstream = new URL(req.url!, upstreams[at % upstreams.length]);
    const ahead = request(upstream, { method: req.method!, headers: req.headers, agent }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    ahead.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries < upstreams.length) return forward(req, res, body, at + 1, tries + 1);
      if (res.headersSent) return res.destroy();
      res.writeHead(DROPPED).end(`${error.code} on a ${ahead.reusedSocket ? 'kept' : 'fresh'} connection`);
    });
    ahead.end(body);
  };

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => forward(req, res, Buffer.concat(chunks), turn++, 1));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    upstreams,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
