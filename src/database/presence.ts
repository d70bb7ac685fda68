import { randomInt } from 'node:crypto';
import pg from 'pg';

/** The first half of the advisory locks by which processes show that they live. */
export const PRESENCE_LOCKS = 7_283_002;

/**
 * A process's sign of life: an advisory lock, held on a connection of its own from start to end. PostgreSQL lets go of it the
 * moment the process dies, so a claim that names a dead process is known to be stale at once.
 */
export class Presence {
  readonly id = randomInt(1, 2_147_483_647);
  readonly #url: string;
  readonly #onLost: (error: Error) => void;
  #client: pg.Client | null = null;
  #ended = false;

  private constructor(url: string, onLost: (error: Error) => void) {
    this.#url = url;
    this.#onLost = onLost;
  }

  static async announce(url: string, onLost: (error: Error) => void): Promise<Presence> {
    const presence = new Presence(url, onLost);
    await presence.#connect();
    return presence;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true, application_name: 'revenue-rail presence' });
    client.on('error', (error: Error) => {
      if (this.#ended || this.#client !== client) return;
      this.#client = null;
      this.#onLost(error);
      void this.#reconnect();
    });
    await client.connect();
    await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, this.id]);
    this.#client = client;
  }

  async #reconnect(): Promise<void> {
    while (!this.#ended && !this.#client) {
      await new Promise((wake) => setTimeout(wake, 1_000).unref());
      await this.#connect().catch(this.#onLost);
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#client?.end();
  }
}
