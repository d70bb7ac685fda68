import pg from 'pg';
import { StandingConnection } from './standing.ts';

/**
 * Hears what PostgreSQL tells on a channel, on a connection of its own that is opened when somebody first listens. What
 * is told while it is lost is not told again: whoever waits is woken once it is there again, and has to look by himself
 * now and then.
 */
export class Listener {
  readonly #connection: StandingConnection;
  #waiting = new Set<() => void>();
  #ended = false;

  constructor(url: string, channel: string, onLost: (error: Error) => void) {
    this.#connection = new StandingConnection({
      url,
      name: 'listener',
      onLost,
      prepare: async (client) => {
        client.on('notification', () => this.#wake());
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        this.#wake();
      },
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when something is told from now on, after so many milliseconds, or when it ends. */
  async next(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    this.#connection.keep();
    await new Promise<void>((done) => {
      const timer = setTimeout(wake, milliseconds);
      const waiting = this.#waiting;
      function wake(): void {
        clearTimeout(timer);
        waiting.delete(wake);
        done();
      }
      waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#wake();
    await this.#connection.end();
  }
}
