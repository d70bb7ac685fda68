import express, { type Express, type Request, type Response } from 'express';
import { type Server, createServer } from 'node:http';
import { type ServerOptions, createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type RefundPlan, SLOW_MS } from './books.ts';

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** An application that reads JSON and forms, and can be made to fail. */
export function createApplication(trouble: Trouble): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json(), express.urlencoded());
  app.use((_req, res, next) => {
    if (trouble.down === 'refusing') return void res.status(503).json({ message: 'Service unavailable' });
    if (trouble.down === 'rejecting') return void res.status(422).json({ error: 'invalid' });
    if (trouble.down === 'cutting') return void res.destroy();
    if (!trouble.held) return next();
    trouble.waiting++;
    void trouble.held.then(() => {
      trouble.waiting--;
      next();
    });
  });
  return app;
}

/** Faults of a whole system at present. */
export interface Trouble {
  down: 'no' | 'refusing' | 'rejecting' | 'cutting';
  /** Promise that its answers wait for; null if they do not. */
  held: Promise<void> | null;
  /** Number of requests that wait for it. */
  waiting: number;
}

export const createTrouble = (): Trouble => ({ down: 'no', held: null, waiting: 0 });

/** Serves an application on a free port of this machine; over TLS where it is given certificates. */
export async function serveApplication(app: Express, tls?: ServerOptions): Promise<Served> {
  const server: Server = tls ? createSecureServer(tls, app) : createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** A query parameter; empty where there is none, or more than one. */
export function readParameter(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value : '';
}

/** The credential of an `Authorization` header of a scheme. */
export function readCredential(req: Request, scheme: 'Basic' | 'Bearer'): string | null {
  return new RegExp(`^${scheme} (.+)$`).exec(req.headers.authorization ?? '')?.[1] ?? null;
}

/** Tokens that were handed out, for a while each. */
export class IssuedTokens {
  lifeSeconds: number;
  count = 0;
  readonly #goodUntil = new Map<string, number>();

  constructor(lifeSeconds: number) {
    this.lifeSeconds = lifeSeconds;
  }

  issue(): string {
    const token = `sim-token-${++this.count}-${Math.random().toString(36).slice(2)}`;
    this.#goodUntil.set(token, Date.now() + this.lifeSeconds * 1_000);
    return token;
  }

  /** Forgets all, as a system does that was restarted. */
  revokeAll(): void {
    this.#goodUntil.clear();
  }

  accepts(req: Request): boolean {
    const token = readCredential(req, 'Bearer');
    return token !== null && (this.#goodUntil.get(token) ?? 0) > Date.now();
  }
}

/** Answers a refund that was made, in the way that its plan has it. */
export function answerRefund(res: Response, { answer }: RefundPlan, give: () => void): void {
  if (answer === 'given') give();
  else if (answer === 'slow') setTimeout(give, SLOW_MS);
  else if (answer === 'cut') cutOff(res);
  else res.status(500).json({ code: 'INTERNAL_PROCESSING_ERROR', message: 'An internal error occurred.' });
}

/** Leaves a caller without an answer, as a connection does that breaks. */
export function cutOff(res: Response): void {
  res.destroy();
}
