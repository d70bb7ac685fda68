import pg from 'pg';
import { isOutage } from '../errors.ts';
import { SERVER_STATE, Servers, type ServerState } from './servers.ts';

/** Longest time to connect, in milliseconds. */
const CONNECT_MS = 5_000;
/** After how long without a word either side asks whether the other is still there, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/** After which a connection of a pool is renewed: both sides keep what was prepared on it for as long as it lasts. */
const LIFETIME_SECONDS = 3_600;
/** For how long nobody may use one before it is closed: the next would have to plan all statements again. */
const IDLE_MS = 600_000;

/** Time after the server's own limit at which a client gives up: then the server does not answer any more. */
const SILENCE_MS = 1_000;

/**
 * Longest time of a statement, and of its wait for a lock, by the kind of work, in milliseconds. 0 has no end,
 * regardless of the server's own settings. Reads and writes of requests share their connections, and so their limit;
 * only writes wait for locks.
 */
export const LIMITS = {
  /** Probes need an answer within a second, the connecting included. */
  probe: { statement: 500, lock: 500 },
  /** Within what a process has to stop in. */
  request: { statement: 8_000, lock: 4_000 },
  /** A question that takes longer is asked too widely; a page of an export is such a question too. */
  oversight: { statement: 30_000, lock: 4_000 },
  /** Background work and commands: adds up, seals, archives. */
  job: { statement: 300_000, lock: 0 },
  /** Connections that a process holds or hears on for as long as it lives. */
  standing: { statement: 5_000, lock: 0 },
  /** A large table can take its time, and another process can be at it. */
  migration: { statement: 0, lock: 0 },
} as const satisfies Record<string, { statement: number; lock: number }>;

/** Use of a connection: its purpose, as `pg_stat_activity` shows it, its kind of work, and its further settings. */
export interface Purpose {
  readonly name: string;
  readonly work: keyof typeof LIMITS;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Settings of all sessions: compiling a statement takes longer than it saves. */
const COMMON = { jit: 'off' };

/** The options of a client or pool, except the address. */
function optionsOf({ name, work }: Purpose): pg.ClientConfig {
  const { statement } = LIMITS[work];
  return {
    application_name: `revenue-rail ${name}`.trim(),
    connectionTimeoutMillis: work === 'probe' ? statement : CONNECT_MS,
    // A connection whose statement the client gives up is not used again: the answer may still come.
    ...(statement > 0 && { query_timeout: statement + (work === 'probe' ? 0 : SILENCE_MS) }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * Makes a fresh connection what it is for, before anybody uses it. By a statement, since a pooler in between refuses
 * startup parameters or drops them; and looks at what came of it, as nothing may be asked as another role than its own.
 */
async function prepare(client: pg.ClientBase, servers: Servers, { work, settings = {} }: Purpose): Promise<void> {
  const { statement, lock } = LIMITS[work];
  const all = { statement_timeout: statement, lock_timeout: lock, ...COMMON, ...settings };
  const set = Object.entries(all).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(String(value))}, false)`,
  );
  const results = (await client.query(
    `select ${set.join(', ')}; select current_user as "user", ${SERVER_STATE}`,
  )) as unknown as pg.QueryResult<ServerState & { user: string }>[];
  const { user, ...standing } = results[1]!.rows[0]!;
  const { role } = settings;
  if (role !== undefined && user !== role) throw new Error(`The session runs as ${user}, and must as ${role}`);
  try {
    servers.require(standing);
  } catch (error) {
    servers.forget();
    throw error;
  }
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** A pool whose connections go to the server of an address that serves at the time. */
export class RoutedPool extends pg.Pool {
  readonly #servers: Servers;
  /** Number of waits for a connection, as all were in use. */
  waits = 0;

  constructor(servers: Servers, options: pg.PoolConfig) {
    super({
      ...options,
      Client: class extends pg.Client {
        constructor(config: pg.ClientConfig) {
          super({ ...config, connectionString: servers.current });
        }
      } as unknown as NonNullable<pg.PoolConfig['Client']>,
    });
    this.#servers = servers;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (this.waitingCount >= this.idleCount + this.options.max - this.totalCount) this.waits++;
    if (!this.#servers.several) return callback ? super.connect(callback) : super.connect();
    const connecting = this.#connectToAny();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  /** A second time where the server that served before is gone. */
  async #connectToAny(): Promise<pg.PoolClient> {
    await this.#servers.find();
    try {
      return await super.connect();
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.#servers.forget();
      await this.#servers.find();
      return super.connect();
    }
  }
}

/**
 * Opens a pool. A connection can be lost at any moment, also while it is taken and between two statements: then only
 * this listener learns of it, and an unhandled error ends the process. The user of the connection learns it
 * from the next statement.
 */
export function openPool(
  url: string,
  purpose: Purpose,
  max: number,
  onLost: (error: Error) => void,
  more: pg.PoolConfig = {},
): RoutedPool {
  const servers = new Servers(url);
  // Waited for, though the types of the pool do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = (client) => prepare(client, servers, purpose);
  const pool = new RoutedPool(servers, {
    ...optionsOf(purpose),
    onConnect,
    max,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    idleTimeoutMillis: IDLE_MS,
    ...more,
  });
  pool.on('connect', (client) =>
    hear(client, (error) => {
      servers.forget();
      onLost(error);
    }),
  );
  // The pool reports its idle connections again.
  pool.on('error', () => {});
  return pool;
}

/** Makes a connection, whose loss is told once. */
export async function connect(url: string, purpose: Purpose, onLost: (error: Error) => void): Promise<pg.Client> {
  const servers = new Servers(url);
  await servers.find();
  const client = new pg.Client({ ...optionsOf(purpose), connectionString: servers.current });
  hear(client, onLost);
  await client.connect();
  try {
    await prepare(client, servers, purpose);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

/** Runs something on a connection of its own, which is ended in any case. */
export async function runOnConnection<T>(
  url: string,
  purpose: Purpose,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // The statement that it is lost under tells.
  const client = await connect(url, purpose, () => {});
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
