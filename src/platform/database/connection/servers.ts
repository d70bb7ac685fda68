import pg from 'pg';
import { type Address, type Target, parseAddress } from './address.ts';

/** State of a server at present: a standby takes no writes, and neither does one whose transactions are read-only. */
export interface ServerState {
  readonly standby: boolean;
  readonly readOnly: boolean;
}

/** A column list that asks a server for its standing. */
export const SERVER_STATE = `pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`;

/** For how long a server is waited for while one is looked for, in milliseconds. */
const SEARCH_MS = 5_000;

/**
 * The servers of an address, of which one serves at a time. Where it is lost, all are asked at once, and the first that
 * is as it must be serves from then on: a failover is noticed with the first connection that breaks.
 */
export class Servers {
  readonly #address: Address;
  #current: string | null;
  #search: Promise<string> | null = null;

  constructor(text: string) {
    this.#address = parseAddress(text);
    this.#current = this.several ? null : this.#address.urls[0]!;
  }

  get several(): boolean {
    return this.#address.urls.length > 1;
  }

  /** The URL of the one that serves, as far as is known. */
  get current(): string {
    return this.#current ?? this.#address.urls[0]!;
  }

  /** Looks for one that serves, unless one is known. */
  async find(): Promise<void> {
    if (this.#current !== null) return;
    this.#search ??= Promise.any(this.#address.urls.map((url) => this.#ask(url))).finally(() => {
      this.#search = null;
    });
    this.#current = await this.#search;
  }

  /** The one that served does no longer, or not as it must. */
  forget(): void {
    if (this.several) this.#current = null;
  }

  /** Throws where a server is not what it has to be. */
  require({ standby, readOnly }: ServerState): void {
    const { target } = this.#address;
    const fits: Record<Target, boolean> = {
      any: true,
      'read-write': !standby && !readOnly,
      'read-only': standby || readOnly,
      primary: !standby,
      standby,
    };
    if (!fits[target])
      // As a server says that is not ready for anybody.
      throw Object.assign(new Error(`The server is not ${target}, as target_session_attrs asks`), { code: '57P03' });
  }

  async #ask(url: string): Promise<string> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'revenue-rail search',
      connectionTimeoutMillis: SEARCH_MS,
      query_timeout: SEARCH_MS,
    });
    // The statement says so too.
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query<ServerState>(`select ${SERVER_STATE}`);
      this.require(rows[0]!);
      return url;
    } finally {
      void client.end();
    }
  }
}
