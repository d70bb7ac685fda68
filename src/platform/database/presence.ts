import { randomInt } from 'node:crypto';
import { VERSION } from './migration/version.ts';
import { PersistentConnection } from './persistent-connection.ts';

/** The first half of the advisory locks by which processes show that they live. */
export const PRESENCE_LOCKS = 7_283_002;

/**
 * A process's sign of life: an advisory lock, held on a connection of its own from start to end. PostgreSQL lets go of
 * it the moment the process dies, so a claim that names a dead process is known to be stale at once.
 */
export class Presence {
  readonly id = randomInt(1, 2_147_483_647);
  readonly #connection: PersistentConnection;

  private constructor(url: string, onLost: (error: Error) => void) {
    this.#connection = new PersistentConnection({
      url,
      // By its version a contract finds out who still needs what it drops.
      name: `presence ${VERSION}`,
      onLost,
      prepare: async (client) => {
        const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
          PRESENCE_LOCKS,
          this.id,
        ]);
        // PostgreSQL may not know yet that the connection before is gone; until it does, that one shows that this
        // process lives.
        if (!rows[0]!.taken) throw new Error('The lock of this process is still held by a connection that it has lost');
      },
    });
  }

  /** Shows from now on that this process lives. */
  static async announce(url: string, onLost: (error: Error) => void): Promise<Presence> {
    const presence = new Presence(url, onLost);
    await presence.#connection.open();
    return presence;
  }

  /** Lets go of the lock. */
  end(): Promise<void> {
    return this.#connection.end();
  }
}
