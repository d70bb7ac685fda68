import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The caller that a key belongs to. */
export interface Caller {
  readonly key: string;
  readonly integrator: string;
  readonly scopes: readonly string[];
}

interface KeyRow extends Caller {
  readonly status: string;
  readonly expires_at: Date | null;
  readonly owner: string;
}

interface Row {
  readonly id: string;
  readonly ts: Date;
  readonly request_id: string;
  readonly http_status: number;
  readonly endpoint: string;
  readonly event: string;
  readonly integrator: string | null;
  readonly key: string | null;
  readonly actor: string;
}

const WINDOW_SECONDS = 60;
const GROUP_MS = 50;

const FIND_KEY = `
  select k.name as key, k.integrator, k.scopes, k.status, k.expires_at, i.status as owner
  from api_key k join integrator i on i.code = k.integrator where k.hash = $1`;

const WRITE = `
  with logged as (
    insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor)
    select id, ts, request_id, http_status, endpoint, event, integrator, key, actor
    from jsonb_to_recordset($1::jsonb)
      as e (id uuid, ts timestamptz, request_id text, http_status int, endpoint text, event text, integrator text,
        key text, actor text)
    on conflict do nothing returning integrator, key, ts, http_status
  ), uses as (select integrator, key, ts from logged where http_status <> 401),
  counted as (
    insert into daily_usage as u (integrator, day, requests)
    select integrator, (ts at time zone 'utc')::date, count(*) from uses where integrator is not null group by 1, 2
    order by 1, 2
    on conflict (integrator, day) do update set requests = u.requests + excluded.requests
  ), used as (
    update api_key k set last_used_at = u.at from (
      select k.name, l.at from api_key k join (select key, max(ts) as at from uses group by key) l on l.key = k.name
      where k.last_used_at is null or k.last_used_at < l.at - interval '1 second'
      order by k.name for no key update of k
    ) u where k.name = u.name
  ) select 1`;

/** The rail's work around each request, written by hand: keys, limits, audit rows in groups, and a log. */
export class Around {
  readonly #pool: pg.Pool;
  readonly #limiter: RateLimiterMemory;
  readonly #most: number;
  readonly #log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 }),
  );
  /** A connection of its own, so that no request waits for it. */
  readonly #audit: pg.Pool;
  #rows: Row[] = [];
  /** True while a group is being written or about to be. */
  #busy = false;

  constructor(pool: pg.Pool, url: string, most: number) {
    this.#pool = pool;
    this.#most = most;
    this.#limiter = new RateLimiterMemory({ points: most, duration: WINDOW_SECONDS });
    this.#audit = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  }

  /** Finds who shows a key, which is looked up each time; null where it does not hold. */
  async authenticate(authorization: string | undefined): Promise<Caller | null> {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (!token) return null;
    const { rows } = await this.#pool.query<KeyRow>({
      name: 'find-key',
      text: FIND_KEY,
      values: [createHash('sha256').update(token).digest()],
    });
    const [key] = rows;
    const live =
      key && key.status !== 'revoked' && key.owner === 'Active' && !(key.expires_at && key.expires_at < new Date());
    return live ? key : null;
  }

  /** Counts a request of a caller; the headers that tell what is left. Throws where it goes beyond. */
  async admit({ integrator }: Caller): Promise<Readonly<Record<string, string>>> {
    const { remainingPoints, msBeforeNext } = await this.#limiter.consume(integrator);
    return {
      'RateLimit-Policy': `"key";q=${this.#most};w=${WINDOW_SECONDS}`,
      RateLimit: `"key";r=${remainingPoints};t=${Math.max(1, Math.ceil(msBeforeNext / 1_000))}`,
    };
  }

  /** Books a request that was answered. */
  book(request: { id: string; endpoint: string; status: number; startedAt: number }, caller: Caller | null): void {
    const { id, endpoint, status, startedAt } = request;
    this.#rows.push({
      id: randomUUID(),
      ts: new Date(),
      request_id: id,
      http_status: status,
      endpoint,
      event:
        status >= 500 ? 'api.handler.error' : status === 401 || status === 403 ? 'api.auth.denied' : 'api.auth.granted',
      integrator: caller?.integrator ?? null,
      key: caller?.key ?? null,
      actor: caller?.integrator ?? 'anonymous',
    });
    this.#schedule();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    this.#log.info({ request_id: id, endpoint, status, ms, caller: caller?.integrator ?? 'anonymous' }, 'request');
  }

  #schedule(): void {
    if (this.#busy || this.#rows.length === 0) return;
    this.#busy = true;
    setTimeout(() => void this.#write(), GROUP_MS);
  }

  async #write(): Promise<void> {
    const group = this.#rows;
    this.#rows = [];
    await this.#audit.query({ name: 'write-audit', text: WRITE, values: [JSON.stringify(group)] });
    this.#busy = false;
    this.#schedule();
  }
}
