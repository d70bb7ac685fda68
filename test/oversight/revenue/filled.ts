import { afterAll, beforeAll } from 'vitest';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { TestRail, withMaintenance } from '../../harness/rail.ts';

type Fill = (rail: TestRail) => Promise<void>;

/** A rail that begins with a copy of a database which is filled once, for all files that name it. */
class FilledRail extends TestRail {
  readonly #name: string;
  readonly #fill: Fill;

  constructor(name: string, fill: Fill) {
    super({});
    this.#name = `rail_filled_${name}`;
    this.#fill = fill;
  }

  protected override chooseTemplate(): Promise<string> {
    return withMaintenance(async (client) => {
      // The second one waits until it is there.
      await client.query('select pg_advisory_lock(hashtext($1))', [this.#name]);
      const { rowCount } = await client.query('select from pg_database where datname = $1', [this.#name]);
      if (rowCount === 0) {
        const rail = new TestRail({});
        await rail.start();
        await this.#fill(rail);
        await client.query(`alter database ${await rail.leave()} rename to ${this.#name}`);
      }
      return this.#name;
    });
  }
}

/** The rail of this test file; `name` stands for what it is filled with. */
export function filledRail(name: string, fill: Fill): TestRail {
  const rail = new FilledRail(name, fill);
  beforeAll(() => rail.start());
  afterAll(() => rail.stop());
  return rail;
}

/** One with a made-up history of a year. */
export function railWithYear(): TestRail {
  return filledRail('year', async ({ rail }) => {
    for await (const _ of seedHistory(rail, { events: 3_000, years: 1, agencies: 16, seed: 5 }));
  });
}
