import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Counter, Histogram, type Registry } from 'prom-client';
import { waiters } from '../../adapters/http/step-aside.ts';
import { type Call, type Rail, callOf } from './call.ts';
import type { AuditEntry } from '../audit/trail.ts';
import { DeadKey, authenticate } from '../access/authenticate.ts';
import { COOKIES, type CookieName, cookieOf } from '../access/cookies.ts';
import { type Answer, type StreamedAnswer, codingFor, headersOfCoding, makeReady, send } from './answers.ts';
import { compressing } from './codings.ts';
import { findPayer } from '../access/tokens/link-token.ts';
import { holdToOrigins } from './cross-origin.ts';
import { quotaHeadersOf } from './limits/limits.ts';
import { Senders } from './concurrency/senders.ts';
import { readStatedPurpose, sourceOf } from './source.ts';
import { type Slot, Overloaded, ConcurrencyLimiter } from './concurrency/limiter.ts';
import { type Viewer, anonymous, cookieLeftAside, staffCookieLeftAside } from '../access/viewer.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { SideTable } from '../../kernel/side-table.ts';

/** A request, from its first byte on. */
export interface Inbound {
  readonly id: string;
  readonly startedAt: bigint;
  /** Method and route template; set by the route that takes it. */
  endpoint: string;
  /** True if it may have changed something, so that its answer waits for its audit row. */
  changes: boolean;
  /** True if further requests depend on it. */
  begins: boolean;
  /** Aborted when it is over: it was answered to its end, or its client left. */
  readonly over: AbortSignal;
  /** Says that it is over. A second time is the same as once. */
  end(): void;
  /** Its turn among the requests under way; null before it has one. */
  slot: Slot | null;
  /** True if it was turned away before any of it ran. */
  shed: boolean;
  /** The call that it became once its caller was known; null before. */
  call: Call | null;
  /** The id of its audit row. */
  readonly row: string;
  /** The moment of its audit row: that of its first answer, should another have to be sent in its place. */
  bookedAt: Date | null;
  /** The docname of what it is about; null where that is no one record. */
  object: string | null;
  /** Response to its caller, if it is refused. */
  refusal: Refusal | null;
  /** Owner of a key that no longer holds, or not there: for the log of its account alone. */
  pretended: Viewer | null;
}

/**
 * Longest time for which the reader of a stream may take nothing; up to twice as long, since Node counts a begun write
 * as a sign of life once. A stream without news still sends a comment every few seconds.
 */
const LONGEST_STALL_MS = 60_000;

/** One for all: a new one each would have to write down where it was made. */
const OVER = new DOMException('The request is over', 'AbortError');

const inbounds = new SideTable<Request, Inbound>();

/** Gives every request an id, the caller's own where it sent a sane one. */
export const identify: RequestHandler = (req, res, next) => {
  const sent = req.headers['x-request-id'];
  const id = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
  const leaving = new AbortController();
  const end = () => leaving.abort(OVER);
  res.once('close', end);
  inbounds.set(req, {
    id,
    startedAt: process.hrtime.bigint(),
    endpoint: `${req.method} (none)`,
    changes: false,
    begins: false,
    over: leaving.signal,
    end,
    slot: null,
    shed: false,
    call: null,
    row: randomUUID(),
    bookedAt: null,
    object: null,
    refusal: null,
    pretended: null,
  });
  res.setHeader('X-Request-Id', id);
  if (req.headers.accept !== undefined) req.headers.accept = rangesOf(req.headers.accept);
  next();
};

/**
 * The media ranges of an `Accept` with their weights alone: what is answered has no other parameters that clients could
 * choose by, and many send `charset`. Nothing is answered in parts, which would have two lengths, since nothing comes later.
 */
function rangesOf(accept: string): string {
  return accept
    .split(',')
    .filter((range) => !/^\s*multipart\//i.test(range))
    .map((range) => {
      const [type, ...parameters] = range.split(';');
      return [type, ...parameters.filter((parameter) => /^\s*q\s*=/i.test(parameter))].join(';');
    })
    .join(',');
}

export function inboundOf(req: Request): Inbound {
  return inbounds.get(req)!;
}

/** Opens calls for requests, and closes them with an audit row, a log line and a metric. */
export class Requests {
  readonly #rail: Rail;
  readonly #durations: Histogram<'endpoint' | 'status'>;
  readonly #failures: Counter<'endpoint'>;
  readonly #limiter: ConcurrencyLimiter;
  readonly #senders: Senders;

  constructor(rail: Rail, registry: Registry) {
    this.#rail = rail;
    this.#senders = new Senders(rail);
    this.#limiter = new ConcurrencyLimiter(rail.config.maxInFlight, rail.log, registry, rail.config.longestWaitMs);
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to its answer.',
      labelNames: ['endpoint', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    this.#failures = new Counter({
      name: 'http_request_failures_total',
      help: 'Requests that were answered with a 5xx.',
      labelNames: ['endpoint'],
      registers: [registry],
    });
  }

  /** The call that a request became, or else one by nobody: for what is answered apart from its usual way. */
  callOf(req: Request): Call {
    return inboundOf(req).call ?? this.openAnonymously(req);
  }

  /** A call by nobody yet: for a request that is refused before it is known who sent it. */
  openAnonymously(req: Request): Call {
    return callOf(this.#rail, anonymous, inboundOf(req).id, {
      source: sourceOf(req, this.#rail.origin),
      over: inboundOf(req).over,
    });
  }

  /**
   * A call by the viewer whom the request's credentials name; of a browser that is signed in twice, the session that
   * comes first in `cookies`. A cookie counts for nothing where a page of another origin asks for a change: browsers
   * would send it along unasked. The request waits for its turn first; one that does not get it is refused, and nothing
   * of it is run. At an address that is a payment link, its `token` counts instead of all else.
   */
  async open(
    req: Request,
    cookies: readonly CookieName[] = [COOKIES.staff, COOKIES.integrator],
    token: string | null = null,
  ): Promise<Call> {
    await this.#takeTurn(req);
    await this.#rail.clock.settle();
    const source = sourceOf(req, this.#rail.origin);
    const counting = !source.foreign || req.method === 'GET' || req.method === 'HEAD' ? cookies : [];
    const reauthenticate = () =>
      token === null
        ? authenticate(this.#rail, req, counting, { now: this.#rail.now(), address: source.address })
        : this.#findPayer(token, source.address);
    const inbound = inboundOf(req);
    const viewer = await reauthenticate().catch((error: unknown) => {
      if (error instanceof DeadKey) inbound.pretended = error.holder;
      throw error;
    });
    this.#senders.remember(req, viewer);
    const shown = viewer.kind === 'anonymous' ? anonymousWith(this.#rail, req, cookies, counting) : viewer;
    const statedPurpose = readStatedPurpose(req);
    const stream = { cursor: req.get('last-event-id') || null };
    const { id, over } = inbound;
    inbound.call = callOf(this.#rail, shown, id, { source, statedPurpose, reauthenticate, over, stream });
    try {
      holdToOrigins(req, req.res!, viewer);
    } catch (error) {
      inbound.pretended = viewer;
      throw error;
    }
    return inbound.call;
  }

  /**
   * True if a request is turned away before anything is made of it, as so many of its sender wait that its turn would
   * come too late; sooner true if it `begins` something that further requests depend on.
   */
  isOverloaded(req: Request, begins: boolean): boolean {
    return this.#limiter.isOverloaded(this.#senders.of(req), begins);
  }

  async #findPayer(token: string, address: string): Promise<Viewer> {
    const payer = await findPayer(this.#rail, token, address);
    if (!payer) throw new Refusal('not_found', say`There is no page at this address`);
    return payer;
  }

  async #takeTurn(req: Request): Promise<void> {
    const inbound = inboundOf(req);
    try {
      inbound.slot = await this.#limiter.take(inbound.over, this.#senders.of(req), inbound.begins);
    } catch (error) {
      inbound.shed = error instanceof Overloaded;
      throw error;
    }
  }

  /** Reads the body of a request; while that is still on its way, others go first. */
  async reading<T>(req: Request, read: () => Promise<T>): Promise<T> {
    if (req.complete) return read();
    const inbound = inboundOf(req);
    inbound.slot?.end();
    const body = await read();
    await this.#takeTurn(req);
    return body;
  }

  /**
   * Counts a call against the limit of its key or session, or else of its address, and tells what is left; refuses what
   * goes beyond. What counts its callers by a rule of its own is not counted by their address.
   */
  async admit(
    { rail: { limits }, viewer, transport: { source } }: Call,
    res: Response,
    { countsItself = false } = {},
  ): Promise<void> {
    const quota =
      (await limits.countCaller(viewer)) ?? (countsItself ? null : await limits.countAnonymous(source.address));
    if (quota) res.set(quotaHeadersOf(quota));
  }

  /**
   * Books a request, and only then answers it: what changed something is durable together with its audit row. While
   * nobody can say whether that row was written, the answer waits. Where the row cannot be written, `otherwise` is
   * answered, and booked in its place when the database is back; what was changed stays, and the request's idempotency
   * key answers it. A failure may be sent again, and does not wait for its row. A request that was turned away is counted and nothing
   * more: it was neither authenticated nor run, and a row each would be load on a database that has too much.
   */
  async close(
    req: Request,
    res: Response,
    call: Call,
    answer: Answer,
    otherwise: (error: unknown) => Answer,
  ): Promise<void> {
    const { shed, changes } = inboundOf(req);
    const ready = makeReady(req, call, answer);
    if (shed) return send(req, res, ready);
    if (changes && ready.status < 500) {
      // Changes made without `commit` are signalled here.
      this.#rail.work.note();
      try {
        await this.#rail.audit.record(this.#entry(req, call, ready.status));
      } catch (error) {
        const instead = makeReady(req, call, otherwise(error));
        this.#rail.audit.note(this.#entry(req, call, instead.status));
        await send(req, res, instead);
        return this.#observe(req, call, instead.status);
      }
    } else this.#rail.audit.note(this.#entry(req, call, ready.status));
    if (call.transport.cookies.length > 0) res.setHeader('Set-Cookie', call.transport.cookies);
    await send(req, res, ready);
    this.#observe(req, call, ready.status);
  }

  #entry(req: Request, call: Call, httpStatus: number): AuditEntry {
    const inbound = inboundOf(req);
    inbound.bookedAt ??= this.#rail.now();
    return {
      id: inbound.row,
      ts: inbound.bookedAt,
      requestId: call.requestId,
      httpStatus,
      endpoint: inbound.endpoint,
      viewer: inbound.pretended ?? call.viewer,
      object: inbound.object,
      refusal: inbound.refusal,
    };
  }

  /** Books a request whose answer goes on, and hands that on as it comes. */
  async stream(req: Request, res: Response, call: Call, answer: StreamedAnswer): Promise<void> {
    this.#rail.audit.note(this.#entry(req, call, answer.status));
    const coding = answer.passing?.compressed ? codingFor(req, call) : null;
    res.writeHead(answer.status, {
      ...answer.headers,
      ...(answer.passing?.compressed && headersOfCoding(coding)),
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    this.#observe(req, call, answer.status);
    // A transfer can take minutes, and has its own limit.
    inboundOf(req).slot?.end();
    // Also what a client has left by now is not begun: bodies read nothing before they are.
    if (req.method === 'HEAD' || res.destroyed) return void res.end();
    // A client that reads nothing for so long has gone, or holds what others could use.
    res.setTimeout(LONGEST_STALL_MS, () => res.destroy());
    const sent = coding ? pipeline(answer.body, compressing(coding), res) : pipeline(answer.body, res);
    await sent.catch(ignoreLeaving);
  }

  #observe(req: Request, call: Call, status: number): void {
    const { endpoint, startedAt } = inboundOf(req);
    const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
    this.#durations.observe({ endpoint, status: `${Math.floor(status / 100)}xx` }, seconds);
    if (status >= 500) this.#failures.inc({ endpoint });
    // Never the address or the body: they can carry names, numbers and secrets.
    this.#rail.log.info(
      { request_id: call.requestId, endpoint, status, ms: Math.round(seconds * 1e4) / 10, caller: callerOf(call) },
      'request',
    );
  }
}

/** Nobody, or nobody with a cookie that was left aside: of those that count here, or of staff where theirs does not. */
function anonymousWith(
  rail: Rail,
  { headers }: Request,
  cookies: readonly CookieName[],
  counting: readonly CookieName[],
): Viewer {
  const isGiven = (name: CookieName) => cookieOf(rail, headers, name) !== null;
  if (cookies.some((name) => !counting.includes(name) && isGiven(name))) return cookieLeftAside;
  return !cookies.includes(COOKIES.staff) && isGiven(COOKIES.staff) ? staffCookieLeftAside : anonymous;
}

/** A reader who leaves ends a stream; that is no fault. */
function ignoreLeaving(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && !(error instanceof Error && error.name === 'AbortError')) throw error;
}

/** The caller for the log: an integrator by its code, staff not by their address. */
function callerOf({ viewer: { kind, actor } }: Call): string {
  return kind === 'staff' ? kind : actor;
}

/** Runs an async handler under Express, whose error handler gets what it throws. */
export function toHandler(run: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const inbound = inboundOf(req);
    const running = waiters.run({ aside: (wait) => inbound.slot?.aside(wait) ?? wait() }, () => run(req, res));
    running.catch(next).finally(() => {
      inbound.slot?.end();
      inbound.end();
    });
  };
}
