import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { runOnConnection } from '../../../src/platform/database/connection/connection.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { TestRail } from '../../harness/rail.ts';

export function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  return runOnConnection(url, { name: 'test', work: 'job' }, run);
}

/** A rail as `docs/operators.md` describes a live one: its database is another role's, which has migrated it. */
export class RuntimeRail extends TestRail {
  readonly #login = `app_${randomBytes(6).toString('hex')}`;

  constructor(env: Readonly<Record<string, string>>) {
    super({ MIGRATE: 'off', ...env });
  }

  protected override async enter(url: string): Promise<string> {
    await connected(url, async (client) => {
      // Roles are of the whole server, and another test may be making it.
      await client.query(`
        do $$ begin
          create role rail_runtime nologin;
        exception when duplicate_object or unique_violation then null;
        end $$`);
      await client.query(`create role ${this.#login} login password 'of-the-runtime' in role rail_runtime`);
    });
    await migrate(url);
    const address = new URL(url);
    address.username = this.#login;
    address.password = 'of-the-runtime';
    return address.href;
  }

  override async stop(): Promise<void> {
    const url = this.url.replace(/\/[^/]*$/, '/postgres');
    await super.stop();
    await connected(url, (client) => client.query(`drop role ${this.#login}`));
  }
}

/** As `testRail`, with a role that may neither change the schema nor what is only added to. */
export function testRuntimeRail(env: Readonly<Record<string, string>> = {}): TestRail {
  const rail = new RuntimeRail(env);
  beforeAll(() => rail.start());
  afterAll(() => rail.stop());
  return rail;
}
