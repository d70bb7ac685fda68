import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import type { PaymentProvider } from '../../src/adapters/payment/provider.ts';
import { PROVIDERS } from '../../src/adapters/payment/providers.ts';
import type { Scope } from '../../src/platform/access/needs.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import type { Rail } from '../../src/platform/call/call.ts';
import { ownHands } from '../../src/platform/database/clock.ts';
import { type Sql, raw, sql } from '../../src/platform/database/sql.ts';
import { issueKey } from '../../src/accounts/integrators/issue-key.ts';
import type { AskedGrants } from '../../src/accounts/keys/grants.ts';
import { startWorker } from '../../src/app/jobs/worker.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open-rail.ts';
import { buildServer } from '../../src/app/server.ts';
import { DEADLINES } from './run/deadlines.ts';
import { expectDescribed } from './schema/described.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; a test that reads a member that is not there fails on it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** `data` of the envelope. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly code: string | undefined;
}

export interface Ask {
  readonly method?: string;
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tests of limits set their own; no other is to run into one. */
const UNLIMITED = {
  RATE_LIMIT_KEY: '10000000',
  RATE_LIMIT_ADDRESS: '10000000',
  RATE_LIMIT_ANONYMOUS: '10000000',
  RATE_LIMIT_FIGURES: '10000000',
  MAX_IN_FLIGHT: '1000',
};

/** Settings in addition to the harness's own; a function if they are only known at the start. */
type Environment = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** A rail of one test file: its own database, its own server on a free port, a clock that tests can set. */
export class TestRail {
  rail!: Rail;
  url!: string;
  origin!: string;
  /** Everything that the rail logged. */
  readonly logged: string[] = [];
  /** The folder of captured mail and archives. */
  readonly dataDir = mkdtempSync(join(tmpdir(), 'rail-data-'));
  readonly #database = `t_${randomBytes(8).toString('hex')}`;
  readonly #env: Environment;
  readonly #providers: readonly PaymentProvider[];
  readonly #more: Partial<Config>;
  #stop: (() => Promise<void>) | null = null;
  #movedMs = 0;

  /** `more` is what of its configuration no environment says. */
  constructor(env: Environment, providers = PROVIDERS, more: Partial<Config> = {}) {
    this.#env = env;
    this.#providers = providers;
    this.#more = more;
  }

  async start(): Promise<void> {
    const env = typeof this.#env === 'function' ? await this.#env() : this.#env;
    this.url = await this.makeDatabase(env);
    const log = createLog('debug', { write: (line: string) => void this.logged.push(line) });
    const config = readConfig(
      {
        DATABASE_URL: await this.enter(this.url),
        DATA_DIR: this.dataDir,
        JOBS: 'off',
        PROBE_SECONDS: '0',
        // The template is at this version.
        MIGRATE: 'off',
        // Each connection that a new database gets costs more than what waits for one.
        DATABASE_POOL: '4',
        // The whole suite is run by each executor.
        GRAPHQL_EXECUTOR: process.env['GRAPHQL_EXECUTOR'],
        ...UNLIMITED,
        ...env,
      },
      this.#providers,
    );
    // However busy the machine is, figures are as of the question, and nothing has waited for too long.
    const patient = {
      analytics: config.analytics && { ...config.analytics, waitMs: DEADLINES.event, restMs: 0 },
      longestWaitMs: DEADLINES.event,
      metricsWaitMs: DEADLINES.event,
    };
    const { rail, close } = await openRail({ ...config, ...patient, ...this.#more }, log, {
      ...ownHands,
      moved: () => this.#movedMs,
    });
    this.rail = rail;
    const server = createServer(buildServer(rail));
    // As the rail sets it: longer than clients keep a connection, also where a test holds up the process.
    server.keepAliveTimeout = config.keepAliveSeconds * 1_000;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    this.origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    rail.origin = config.baseUrl ?? this.origin;
    const worker = config.jobs ? await startWorker(rail) : null;
    this.#stop = async () => {
      await worker?.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await close();
    };
  }

  /** Makes the database that it is on; its address. */
  protected async makeDatabase(env: Readonly<Record<string, string>>): Promise<string> {
    const template = await this.chooseTemplate(env);
    await onMaintenance(`create database ${this.#database} template ${template} strategy file_copy`);
    return inject('clusterUrl').replace('DATABASE', this.#database);
  }

  /** The database that its own is a copy of. */
  protected async chooseTemplate(env: Readonly<Record<string, string>>): Promise<string> {
    return env['MODE'] === 'live' ? 'rail_template_live' : 'rail_template';
  }

  /** Prepares the new database and returns the URL that the rail uses, for a rail that is not to own it. */
  protected async enter(url: string): Promise<string> {
    return url;
  }

  async stop(): Promise<void> {
    await onMaintenance(`drop database if exists ${await this.leave()} with (force)`);
  }

  /** Stops it, and leaves its database, which it names. */
  async leave(): Promise<string> {
    await this.#stop?.();
    rmSync(this.dataDir, { recursive: true, force: true });
    return this.#database;
  }

  /** Moves the rail's clock. */
  advance(hours: number): void {
    this.#movedMs += hours * 3_600_000;
    // Waiting jobs have computed their moment with the old clock.
    this.rail.work.note();
  }

  /** A key of a new account that an operator issued with grants. */
  keyGranted(
    grants: AskedGrants,
    ...scopes: Scope[]
  ): Promise<{ plaintext: string; integrator: string; name: string }> {
    return issueKey(
      this.rail,
      { organisation: `Test ${randomUUID()}`, email: `${randomUUID()}@example.com` },
      scopes,
      undefined,
      grants,
    );
  }

  async key(...scopes: Scope[]): Promise<{ plaintext: string; integrator: string; name: string }> {
    return this.keyGranted({}, ...scopes);
  }

  /** Asks a path of this rail, or an address that an answer linked to. */
  async ask(where: string, { method, key, body, headers = {} }: Ask = {}): Promise<Answer> {
    const path = where.startsWith(this.rail.origin) ? where.slice(this.rail.origin.length) : where;
    const given = body !== undefined;
    const response = await fetch(this.origin + path, {
      redirect: 'manual',
      method: method ?? (given ? 'POST' : 'GET'),
      headers: {
        ...(given && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(given && { body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expectDescribed(method ?? (given ? 'POST' : 'GET'), path, response.status);
    const json: unknown =
      /[/+]json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : undefined;
    const envelope = json as { data?: unknown; error?: { code?: string } } | undefined;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json,
      data: envelope?.data,
      code: envelope?.error?.code,
    };
  }

  async rows<Row>(query: Sql): Promise<Row[]> {
    const rows = await this.rail.db.rows<Row>(query);
    // Nobody else notifies those who wait for rows that a test writes.
    this.rail.work.note();
    return rows;
  }

  /** Runs a statement that is no template: one of a list, or one that nobody who uses the rail can send. */
  query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.rows<Row>(values.length === 0 ? raw(text) : sql(text.split(/\$\d+/), ...values));
  }

  /** Changes what no user of the rail can change: statements in one transaction, past all triggers. */
  async tamper(...statements: readonly string[]): Promise<void> {
    await this.rail.transaction(async (db) => {
      for (const one of ['set local session_replication_role = replica', ...statements]) await db.rows(raw(one));
    });
  }

  async count(query: Sql): Promise<number> {
    const [row] = await this.rows<{ count: number }>(sql`select count(*)::int as count from (${query}) q`);
    return row!.count;
  }
}

const onMaintenance = (statement: string) => withMaintenance((client) => client.query(statement));

/** Connects to the database that is nobody's; what is locked there is released with it. */
export async function withMaintenance<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('clusterUrl').replace('DATABASE', 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rail of this test file; it knows other payment providers than those it ships with where a test says so. */
export function testRail(
  env: Environment = {},
  providers: readonly PaymentProvider[] = PROVIDERS,
  more: Partial<Config> = {},
): TestRail {
  const rail = new TestRail(env, providers, more);
  beforeAll(() => rail.start());
  afterAll(() => rail.stop());
  return rail;
}
