import { setTimeout as sleep } from 'node:timers/promises';
import { runOnConnection } from './connection/connection.ts';
import { isOutage } from './errors.ts';
import { PersistentConnection } from './persistent-connection.ts';

/**
 * Any number that nobody else uses: held together by all that use the server, and alone by the process that stops it.
 */
const USE_LOCK = 7_283_007;
/** Longest time for somebody else's session to be gone. */
const LINGER_MS = 2_000;

/** A process's use of a server that several processes share, and that is stopped by the last of them. */
export class SharedUse {
  readonly #url: string;
  readonly #connection: PersistentConnection;

  private constructor(url: string) {
    this.#url = url;
    this.#connection = new PersistentConnection({
      url,
      name: 'use of the embedded server',
      // Waits while another process stops the server, whose end then ends the wait.
      prepare: (client) => client.query('select pg_advisory_lock_shared($1)', [USE_LOCK]),
      // Every use of the server says that it is lost.
      onLost: () => {},
    });
  }

  /**
   * Takes part in the use; throws where the server does not answer or is being stopped. From here on nobody else stops
   * it.
   */
  static async take(url: string): Promise<SharedUse> {
    const use = new SharedUse(url);
    await use.#connection.open();
    return use;
  }

  /**
   * Ends the use, and stops the server where nobody else uses it. Of processes that leave together the last one gets
   * the lock, or the one that got it is already stopping the server.
   */
  async leave(stop: () => Promise<void>): Promise<void> {
    await this.#connection.end();
    try {
      await runOnConnection(this.#url, { name: 'stop of the embedded server', work: 'standing' }, async (client) => {
        const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [USE_LOCK]);
        if (!rows[0]!.last) return;
        const foreign = async () => {
          // One that has not said who it is yet has no name: it uses nothing so far, and may be one of ours that was given up.
          const { rowCount } = await client.query(
            `select from pg_stat_activity where backend_type = 'client backend' and state is distinct from 'starting'
               and application_name not like 'revenue-rail%'`,
          );
          return rowCount !== 0;
        };
        for (const until = performance.now() + LINGER_MS; await foreign(); await sleep(50))
          if (performance.now() > until) return;
        await stop();
      });
    } catch (error) {
      // Another process has stopped it.
      if (!isOutage(error)) throw error;
    }
  }
}
