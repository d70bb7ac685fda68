import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeActor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import type { Shop } from '../../harness/people/payer.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { type Served, run, serve } from '../../harness/processes.ts';
import { TestRail } from '../../harness/rail.ts';

export type Environment = Readonly<Record<string, string>>;

/**
 * Opens a scenario's rail: on a PostgreSQL that the scenario brings and that ends with it, on the database of the
 * environment, or on a new one.
 */
export type OpenPlace = (env?: Environment, postgres?: OwnPostgres) => Promise<Place>;

export const DEFAULTS = {
  SECRET_KEY: 'k'.repeat(40),
  LOG_LEVEL: 'fatal',
  WEBHOOK_ALLOW_PRIVATE: '1',
  PROBE_SECONDS: '0',
};

/** A rail on a database that is there, which it fills at its first start. */
class RailOn extends TestRail {
  readonly #address: string;

  constructor(address: string, env: Environment) {
    super({ MIGRATE: 'on', ...env });
    this.#address = address;
  }

  protected override async makeDatabase(): Promise<string> {
    return this.#address;
  }

  override async stop(): Promise<void> {
    await this.leave();
  }
}

/** A PostgreSQL that scenarios share, each on a copy of the database of a new sandbox. */
export class Ground {
  #copies = 0;
  #started: Promise<OwnPostgres> | null = null;

  readonly open: OpenPlace = async (env = {}, given) => {
    const url = given?.url ?? env['DATABASE_URL'] ?? (await this.#copy());
    return Place.on(new RailOn(url, { ...DEFAULTS, ...env }), env, given ?? null);
  };

  async #copy(): Promise<string> {
    const postgres = await (this.#started ??= this.#start());
    const name = `copy_${++this.#copies}`;
    const url = new URL(postgres.url);
    await postgres.query(`create database ${name} template sandbox`);
    url.pathname = name;
    return url.href;
  }

  async #start(): Promise<OwnPostgres> {
    const postgres = await OwnPostgres.start(['max_connections=300']);
    const url = new URL(postgres.url);
    await postgres.query('create database sandbox');
    url.pathname = 'sandbox';
    const rail = new RailOn(url.href, DEFAULTS);
    await rail.start();
    await rail.stop();
    return postgres;
  }

  async close(): Promise<void> {
    await (await this.#started)?.remove();
  }
}

/** A rail of one scenario: processes on a database, and another rail on it in this process, which prepares and compares. */
export class Place {
  readonly rail: TestRail;
  readonly processes: Served[] = [];
  /** A history that is made up has payments and seals, but no messages and no shifts that invariants ask for. */
  isMadeUp = false;
  readonly #env: Environment;
  readonly #postgres: OwnPostgres | null;
  readonly #serve: typeof serve;
  readonly #adopted = new Map<number, () => Promise<Served>>();
  #folders = 0;

  private constructor(rail: TestRail, env: Environment, postgres: OwnPostgres | null, serveBy: typeof serve) {
    this.rail = rail;
    this.#serve = serveBy;
    this.#env = { ...DEFAULTS, ...env };
    this.#postgres = postgres;
  }

  /** One whose database is prepared; its processes are started otherwise where a way is given. */
  static async on(
    rail: TestRail,
    env: Environment,
    postgres: OwnPostgres | null = null,
    serveBy = serve,
  ): Promise<Place> {
    await rail.start();
    return new Place(rail, env, postgres, serveBy);
  }

  get url(): string {
    return this.rail.url;
  }

  get origins(): string[] {
    return this.processes.map(({ origin }) => origin);
  }

  /** The environment of its processes. */
  get environment(): Record<string, string> {
    return { DATABASE_URL: this.url, ...this.#env };
  }

  /** Starts so many processes, jobs and all. */
  async start(count: number, env: Environment = {}): Promise<Served[]> {
    const started = await Promise.all(Array.from({ length: count }, () => this.#begin(env)));
    this.processes.push(...started);
    return started;
  }

  /** Takes a process that was started otherwise, with how that is done again. */
  adopt(process: Served, startAgain: () => Promise<Served>): void {
    this.#adopted.set(this.processes.push(process) - 1, startAgain);
  }

  /** Starts a process in the place of another, which has ended. */
  async startAgain(at: number): Promise<void> {
    this.processes[at] = await (this.#adopted.get(at) ?? (() => this.#begin({})))();
  }

  #begin(env: Environment): Promise<Served> {
    const folder = join(this.rail.dataDir, String(this.#folders++));
    mkdirSync(folder);
    return this.#serve('src/app/main.ts', { PORT: '0', ...this.environment, DATA_DIR: folder, ...env });
  }

  /** A new account with payments for its payers. Its origins are those of the processes that run when they are read. */
  async shop(random: () => number): Promise<Shop & { readonly integrator: string }> {
    const { key, integrator } = await makeActor(this.rail, {}, 'payments.refund');
    const origins = () => this.origins;
    return {
      get origins() {
        return origins();
      },
      key,
      integrator,
      random,
      citizen: await someCitizen(this.rail),
      services: await Promise.all(['URA-PAYE', 'URSB-COMPANY'].map((code) => serviceNamed(this.rail, code))),
    };
  }

  readonly query = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    this.rail.query<Row>(text, values);

  /** The output and exit code of `ledger:verify`. */
  verify(): ReturnType<typeof run> {
    return run('src/app/cli/admin.ts', ['ledger:verify'], { ...this.environment, DATA_DIR: this.rail.dataDir });
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.kill()));
    await this.rail.stop();
    await this.#postgres?.remove();
  }
}
