import { raw, sql } from '../database/sql.ts';
import type { Engine } from './engine.ts';
import type { Fact, MaterializedView } from './fact.ts';
import type { Run } from './tables.ts';

/** The materialized views of a copy. The table `stale` has the months of facts that changed since views of them were computed. */
export class Views {
  readonly #all: readonly MaterializedView[];
  /** The engine in which nothing is stale, as far as it is known without asking. */
  #fresh: Engine | null = null;

  constructor(all: readonly MaterializedView[]) {
    this.#all = all;
  }

  /** Definition that they are computed by: with another, they are made again. */
  get declared(): unknown {
    return this.#all.map(({ name, select }) => {
      const { text, values } = select(sql`facts`);
      return [name, text, values];
    });
  }

  async make(run: Run): Promise<void> {
    await run('create or replace table stale (fact varchar, month date)');
    for (const { name, of, select } of this.#all) {
      const none = select(sql`from ${raw(of)} limit 0`);
      await run(`create or replace table ${name} as ${none.text}`, none.values);
    }
    for (const fact of new Set(this.#all.map(({ of }) => of))) {
      await run(`insert into stale select distinct '${fact}', month from ${fact}`);
      await this.#compute(run, fact);
    }
  }

  /** What notes the months of the facts of which something is true, where there are views of these. */
  mark({ name }: Fact, where: string): readonly string[] {
    if (!this.#all.some(({ of }) => of === name)) return [];
    this.#fresh = null;
    return [`insert into stale select distinct '${name}', month from ${name} where ${where}`];
  }

  /** Computes what is stale. */
  async refresh(engine: Engine): Promise<void> {
    if (this.#fresh === engine) return;
    const stale = await engine.reading((db) => db.rows<{ fact: string }>(sql`select distinct fact from stale`));
    if (stale.length > 0)
      await engine.write(async (run) => {
        for (const { fact } of stale) await this.#compute(run, fact);
      });
    this.#fresh = engine;
  }

  async #compute(run: Run, fact: string): Promise<void> {
    for (const { name, of, onwards, select } of this.#all) {
      if (of !== fact) continue;
      const stale = `month ${onwards ? '>= (select min(month)' : 'in (select month'} from stale where fact = '${fact}')`;
      const rows = select(sql`from ${raw(fact)} where ${raw(stale)}`);
      await run(`delete from ${name} where ${stale}`);
      await run(`insert into ${name} by name ${rows.text}`, rows.values);
    }
    await run(`delete from stale where fact = '${fact}'`);
  }
}
