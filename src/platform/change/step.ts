import { type Sql, joined, raw, sql } from '../database/sql.ts';

/**
 * A common table expression of a statement. Written into the SQL of another step it stands for its name, and brings
 * itself along: what reads a step cannot misspell it, nor be sent without it.
 */
export class Step {
  readonly name: string;
  readonly query: Sql;

  constructor(name: string, query: Sql) {
    if (!/^[a-z_]+$/.test(name)) throw new Error(`${name} cannot name a step`);
    this.name = name;
    this.query = query;
  }
}

/** SQL, as a tagged template, that becomes a step. */
type StepOf = (text: readonly string[], ...values: readonly unknown[]) => Step;

/**
 * Begins a step: step('split')`insert … select … from ${changed}`. Its name is for those that read the database's log.
 */
export function step(name: string): StepOf {
  return (text, ...values) => new Step(name, sql(text, ...values));
}

/**
 * The step that decides on a change: it yields one row if, and only if, the change happens. What follows takes its rows
 * from it.
 */
export const guard = step('changed');

/**
 * One statement: a query with the steps that it reads, the steps that those read, and others that are to happen with
 * it. Each stands after those that it reads.
 */
export function statement(query: Sql, others: readonly Step[] = []): Sql {
  const steps = new Map<string, Step>();
  const include = (one: Step): void => {
    if (steps.get(one.name) === one) return;
    for (const read of stepsIn(one.query)) include(read);
    if (steps.has(one.name)) throw new Error(`Two steps of a statement are named ${one.name}`);
    steps.set(one.name, one);
  };
  for (const one of [...others, ...stepsIn(query)]) include(one);
  if (steps.size === 0) return query;
  const expressions = [...steps.values()].map((one) => sql`${raw(one.name)} as (${nameSteps(one.query)})`);
  return sql`with ${joined(expressions, ', ')} ${nameSteps(query)}`;
}

/** Steps in SQL are values like any other until their statement is made. */
function stepsIn({ values }: Sql): Step[] {
  return values.filter((value) => value instanceof Step);
}

/** True if a step reads another, directly or through others. */
export function readsStep({ query }: Step, other: Step): boolean {
  return stepsIn(query).some((one) => one === other || readsStep(one, other));
}

function nameSteps({ strings, values }: Sql): Sql {
  return sql(strings, ...values.map((value) => (value instanceof Step ? raw(value.name) : value)));
}
