import type pg from 'pg';
import { connect } from './connection/connection.ts';

/** Pause after a failed try to connect, in milliseconds. */
const RETRY_MS = 1_000;

/** Settings by which the server, too, soon knows that the other side has vanished without a word. */
const NOTICES_SILENCE = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };

interface Options {
  readonly url: string;
  /** Purpose of the connection, as `pg_stat_activity` shows it. */
  readonly name: string;
  /** Makes a fresh connection what it is for: takes a lock, or listens. */
  prepare(client: pg.Client): Promise<unknown>;
  /** Told once for each time that it is lost, with what went wrong. */
  onLost(error: Error): void;
}

/**
 * A connection that is to be there for as long as the process is: where it is lost, another is made as soon as that
 * works.
 */
export class PersistentConnection {
  readonly #options: Options;
  #client: pg.Client | null = null;
  #trying = false;
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Connects now, or throws. */
  open(): Promise<void> {
    return this.#connect();
  }

  /** Connects as soon as that works, unless it is connected. */
  keep(): void {
    if (!this.#trying) void this.#tryUntilConnected();
  }

  /** Sends a statement by it, and keeps it connected; null where it is not connected at present. */
  async send(text: string): Promise<pg.QueryResult | null> {
    this.keep();
    return this.#client ? this.#client.query(text) : null;
  }

  /** Ends it; a try that is under way is given up. */
  async end(): Promise<void> {
    this.#ended = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #tryUntilConnected(): Promise<void> {
    this.#trying = true;
    let reported = false;
    while (!this.#ended && !this.#client) {
      try {
        await this.#connect();
      } catch (error) {
        if (!reported) this.#options.onLost(error instanceof Error ? error : new Error(String(error)));
        reported = true;
        await new Promise((wake) => setTimeout(wake, RETRY_MS).unref());
      }
    }
    this.#trying = false;
  }

  async #connect(): Promise<void> {
    const { url, name, prepare, onLost } = this.#options;
    let lost: Error | null = null;
    let client: pg.Client | null = null;
    client = await connect(url, { name, work: 'standing', settings: NOTICES_SILENCE }, (error) => {
      lost = error;
      if (client === null || this.#client !== client) return;
      this.#client = null;
      onLost(error);
      this.keep();
    });
    try {
      await prepare(client);
      if (lost) throw lost;
    } catch (error) {
      void client.end();
      throw error;
    }
    if (this.#ended) await client.end();
    else this.#client = client;
  }
}
