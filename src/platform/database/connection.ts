import pg from 'pg';

/** How long a connection may take to come about, in milliseconds. */
const CONNECT_MS = 5_000;
/** After how long without a word either side asks whether the other is still there, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/** After which a connection of a pool is renewed: both sides keep what was prepared on it for as long as it lasts. */
const LIFETIME_SECONDS = 3_600;

/** How much later than the server a client gives up a statement: then the server itself does not answer any more. */
const SILENCE_MS = 1_000;

/**
 * How long a statement may take, and how much of that it may wait for a lock, by the kind of work, in milliseconds. 0
 * has no end, whatever the server's own settings are. Reads and writes of requests share their connections, and so
 * their limit; only writes wait for locks.
 */
export const LIMITS = {
  /** Whoever probes wants to know within a second, the connecting included. */
  probe: { statement: 500, lock: 500 },
  /** Within what a process has to stop in. */
  request: { statement: 8_000, lock: 4_000 },
  /** A question that takes longer is asked too widely; a page of an export is such a question too. */
  oversight: { statement: 30_000, lock: 4_000 },
  /** What runs by itself or from the command line: adds up, seals, archives. */
  job: { statement: 300_000, lock: 0 },
  /** What a process holds or hears for as long as it lives. */
  standing: { statement: 5_000, lock: 0 },
  /** A large table can take its time, and another process can be at it. */
  migration: { statement: 0, lock: 0 },
} as const satisfies Record<string, { statement: number; lock: number }>;

/**
 * How a connection is made: what for, as `pg_stat_activity` shows it, for which kind of work, and with which further
 * settings.
 */
export interface Purpose {
  readonly name: string;
  readonly work: keyof typeof LIMITS;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/**
 * The options of a client or pool. Settings that the address itself carries (`?options=`) hold beside the purpose's
 * own.
 */
function optionsOf(url: string, { name, work, settings = {} }: Purpose): pg.ClientConfig {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.delete('options');
  const { statement, lock } = LIMITS[work];
  const limits = { statement_timeout: statement, lock_timeout: lock };
  const own = Object.entries({ ...limits, ...settings }).map(([setting, value]) => `-c ${setting}=${value}`);
  return {
    connectionString: given === null ? url : address.href,
    application_name: `revenue-rail ${name}`.trim(),
    options: [given, ...own].filter(Boolean).join(' '),
    connectionTimeoutMillis: work === 'probe' ? statement : CONNECT_MS,
    // A connection whose statement the client gives up is not used again: the answer may still come.
    ...(statement > 0 && { query_timeout: statement + (work === 'probe' ? 0 : SILENCE_MS) }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * Opens a pool. A connection can be lost at any moment, also while it is taken and between two statements: then nobody
 * but this listener hears of it, and an error that nobody hears ends the process. Whoever uses the connection learns it
 * from the next statement.
 */
export function openPool(
  url: string,
  purpose: Purpose,
  max: number,
  onLost: (error: Error) => void,
  more: pg.PoolConfig = {},
): pg.Pool {
  const pool = new pg.Pool({ ...optionsOf(url, purpose), max, maxLifetimeSeconds: LIFETIME_SECONDS, ...more });
  pool.on('connect', (client) => hear(client, onLost));
  // The pool tells of its idle connections once more.
  pool.on('error', () => {});
  return pool;
}

/** Makes a connection that is not connected yet, whose loss is told once. */
export function makeClient(url: string, purpose: Purpose, onLost: (error: Error) => void): pg.Client {
  const client = new pg.Client(optionsOf(url, purpose));
  hear(client, onLost);
  return client;
}

/** Runs something on a connection of its own, which is ended whatever comes of it. */
export async function runOnConnection<T>(
  url: string,
  purpose: Purpose,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // The statement that it is lost under tells.
  const client = makeClient(url, purpose, () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/**
 * A loss shows as several errors: what PostgreSQL says last, and what becomes of the socket. The first of them is told.
 */
function hear(client: pg.ClientBase, onLost: (error: Error) => void): void {
  let lost = false;
  client.on('error', (error: Error) => {
    if (!lost) onLost(error);
    lost = true;
  });
}
