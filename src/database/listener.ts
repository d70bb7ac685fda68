import pg from 'pg';

/**
 * Hears what PostgreSQL tells on a channel, on a connection of its own that is opened when somebody first listens. What is told while
 * it is lost is not told again: whoever waits has to look by himself now and then.
 */
export class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #onLost: (error: Error) => void;
  #client: Promise<pg.Client> | null = null;
  #waiting = new Set<() => void>();
  #ended = false;

  constructor(url: string, channel: string, onLost: (error: Error) => void) {
    this.#url = url;
    this.#channel = channel;
    this.#onLost = onLost;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when something is told from now on, after so many milliseconds, or when it ends. */
  async next(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    this.#client ??= this.#connect();
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

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true, application_name: 'revenue-rail listener' });
    client.on('notification', () => this.#wake());
    client.on('error', (error: Error) => this.#lose(error));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
    }
    return client;
  }

  #lose(error: Error): void {
    this.#client = null;
    if (!this.#ended) this.#onLost(error);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#wake();
    await (await this.#client)?.end();
  }
}
