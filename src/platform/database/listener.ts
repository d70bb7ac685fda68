import pg from 'pg';
import { PersistentConnection } from './persistent-connection.ts';

/**
 * Hears what PostgreSQL tells on a channel, on a connection of its own that is opened when somebody first listens. What
 * is told while it is lost is not told again: waiting callers are woken once it is there again, and have to poll
 * now and then.
 */
export class Listener {
  readonly #channel: string;
  readonly #connection: PersistentConnection;
  readonly #heard = new Set<() => void>();
  #untold = false;
  #ended = false;

  constructor(url: string, channel: string, onLost: (error: Error) => void) {
    this.#channel = pg.escapeIdentifier(channel);
    this.#connection = new PersistentConnection({
      url,
      name: 'listener',
      onLost,
      prepare: async (client) => {
        client.on('notification', () => this.#wake());
        await client.query(`listen ${this.#channel}`);
        if (this.#untold) await client.query(`notify ${this.#channel}`);
        this.#wake();
      },
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Calls a function whenever something is told, and when it ends, until the function that this answers is called. */
  hear(heard: () => void): () => void {
    this.#heard.add(heard);
    if (!this.#ended) this.#connection.keep();
    return () => void this.#heard.delete(heard);
  }

  /** Resolves when something is told from now on, after so many milliseconds, or when it ends. */
  async next(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((done) => {
      const wake = () => {
        clearTimeout(timer);
        unhear();
        done();
      };
      const timer = setTimeout(wake, milliseconds);
      const unhear = this.hear(wake);
    });
  }

  /** Tells all that listen, in this process too; once it is connected, where it is not. */
  async notify(): Promise<void> {
    if (!this.#ended) this.#untold = (await this.#connection.send(`notify ${this.#channel}`)) === null;
  }

  #wake(): void {
    for (const heard of this.#heard) heard();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#wake();
    await this.#connection.end();
  }
}
