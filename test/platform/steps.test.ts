import { describe, expect, it } from 'vitest';
import { guard, statement, step } from '../../src/platform/change/step.ts';
import { joined, sql } from '../../src/platform/database/sql.ts';

const held = step('held')`select ${1}::int as name`;
const changed = guard`update a set b = ${2} from ${held} where a.name = ${held}.name`;

describe('a statement', () => {
  it('has each step that it reads, once and after those that the step reads itself', () => {
    const split = step('split')`insert into c select ${3} from ${changed}, ${held}`;
    const { text, values } = statement(sql`select exists (select from ${changed}) as changed`, [split]);
    expect(text.replaceAll(/\s+/g, ' ')).toBe(
      'with held as (select $1::int as name), changed as (update a set b = $2 from held where a.name = held.name), ' +
        'split as (insert into c select $3 from changed, held) select exists (select from changed) as changed',
    );
    expect(values).toEqual([1, 2, 3]);
  });

  it('finds steps within pieces of SQL and lists of them', () => {
    const piece = sql`where exists (${sql`select from ${joined([held, changed], ', ')}`})`;
    expect(statement(sql`select 1 ${piece}`).text).toMatch(
      /^with held as .*, changed as .* select 1 where exists \(select from held, changed\)$/s,
    );
  });

  it('is a plain query where it reads no step', () => {
    expect(statement(sql`select ${1}`).text).toBe('select $1');
  });

  it('refuses two steps of one name, and names that SQL would have to quote', () => {
    const other = step('held')`select 2`;
    expect(() => statement(sql`select from ${changed}, ${other}`)).toThrow('Two steps of a statement are named held');
    expect(() => step('a b')`select 1`).toThrow('a b cannot name a step');
  });
});
