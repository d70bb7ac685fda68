import { OwnPostgres } from '../../postgres.ts';

/** A primary and the standby that each of its commits waits for. */
export class Pair {
  primary: OwnPostgres;
  standby: OwnPostgres;

  private constructor(primary: OwnPostgres, standby: OwnPostgres) {
    this.primary = primary;
    this.standby = standby;
  }

  static async start(): Promise<Pair> {
    const primary = await OwnPostgres.start(['synchronous_commit=on', 'max_connections=100']);
    const pair = new Pair(primary, await primary.replicate());
    await pair.#wait();
    return pair;
  }

  /** The address of both, whichever takes writes. */
  get url(): string {
    const [one, other] = [new URL(this.primary.url), new URL(this.standby.url)];
    return this.primary.url.replace(one.host, `${one.host},${other.host}`);
  }

  /** Kills the primary and promotes the standby. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    await this.standby.query('select pg_promote()');
  }

  /** After a fail-over, makes a new standby where the primary was that is gone. */
  async rejoin(): Promise<void> {
    const { port } = new URL(this.primary.url);
    this.primary.discard();
    this.primary = this.standby;
    this.standby = await this.primary.replicate(Number(port));
    await this.#wait();
  }

  async #wait(): Promise<void> {
    await this.primary.query(`alter system set synchronous_standby_names = 'ANY 1 (*)'`);
    await this.primary.query('select pg_reload_conf()');
  }

  async remove(): Promise<void> {
    await this.standby.remove();
    await this.primary.remove();
  }
}
