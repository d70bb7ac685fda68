import { describe, expect, it } from 'vitest';
import { columnsIn, readBlocks } from '../../src/app/development/inventory/schema.ts';
import { listDefinitions } from '../../src/platform/database/migration/definitions.ts';
import { columnOf } from '../../src/platform/database/record.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

/** PostgreSQL's types for Prisma's types without a native type. */
const NAMES: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Float: 'double precision',
  Json: 'jsonb',
  Bytes: 'bytea',
};
/** PostgreSQL's names of native types. */
const NATIVE: readonly (readonly [RegExp, (digits: string) => string])[] = [
  [/@db\.Timestamptz\((\d)\)/, (digits) => `timestamp(${digits}) with time zone`],
  [/@db\.Timestamp\((\d)\)/, (digits) => `timestamp(${digits}) without time zone`],
  [/@db\.Decimal\((\d+, ?\d+)\)/, (digits) => `numeric(${digits.replace(' ', '')})`],
  [/@db\.VarChar\((\d+)\)/, (digits) => `character varying(${digits})`],
  [/Unsupported\("(\w+)"\)/, (name) => name],
  [/@db\.(Date|Uuid|Inet|SmallInt)\b/, (name) => name.toLowerCase()],
];

const models = readBlocks('model');
const enums = new Map(readBlocks('enum').map(({ name, table }) => [name, table]));

/** `table.column type [not null]`, of every column that Prisma's schema has. */
function promised(): string[] {
  const names = new Set(models.map(({ name }) => name));
  return models.flatMap((model) =>
    columnsIn(model, names).map(({ name, type, mark, line }) => {
      const native = NATIVE.map(([form, called]) => [form.exec(line)?.[1], called] as const).find(([digits]) => digits);
      const kept = native ? native[1](native[0]!) : (enums.get(type) ?? NAMES[type] ?? `unknown ${type}`);
      return `${model.table}.${name} ${kept}${mark === '[]' ? '[]' : ''}${mark === '?' ? '' : ' not null'}`;
    }),
  );
}

/** The same, of every column that the migrated database has; partitions are their table. */
async function stored(): Promise<string[]> {
  const rows = await rail.rows<{ line: string }>(sql`
    select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
      case when a.attnotnull then ' not null' else '' end as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
      and not a.attisdropped
      and c.relname not in ('_prisma_migrations', '_definitions')`);
  return rows.map(({ line }) => line);
}

describe("Prisma's schema and the migrated database", () => {
  it('have the same columns, of the same types, that may be null alike', async () => {
    expect(promised().toSorted()).toEqual((await stored()).toSorted());
  });

  it('have the same words in their enums', async () => {
    const words = await rail.rows<{ name: string; labels: string[] }>(sql`
      select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels from pg_type t
        join pg_enum e on e.enumtypid = t.oid
      where t.typnamespace = 'public'::regnamespace group by 1`);
    const expected = readBlocks('enum').map(({ table, lines }) => ({
      name: table,
      labels: lines.map((line) => line.trim().split(/\s/)[0]!),
    }));
    const byName = (rows: { name: string; labels: string[] }[]) =>
      Object.fromEntries(rows.map(({ name, labels }) => [name, labels.toSorted()]));
    expect(byName(words)).toEqual(byName(expected));
  });

  it('call each column by the name of its field in snake case, as records are read', () => {
    const named = models
      .flatMap(({ lines }) => lines.map((line) => /^ {2}(\w+).*@map\("(\w+)"\)/.exec(line)))
      .filter((match) => match !== null);
    expect(named.length).toBeGreaterThan(100);
    for (const [, field, column] of named) expect(columnOf(field!)).toBe(column);
  });

  it('differ by the views alone, which the definitions make', async () => {
    const views = await rail.rows<{ name: string }>(sql`
      select case when relnamespace = 'public'::regnamespace then '' else relnamespace::regnamespace || '.' end || relname as name from pg_class
      where relkind in ('v', 'm') and relnamespace in ('public'::regnamespace, 'oversight'::regnamespace)`);
    const defined = listDefinitions().filter(({ kind }) => kind === 'views');
    expect(views.map(({ name }) => name).toSorted()).toEqual(defined.map(({ object }) => object).toSorted());
  });
});

describe('the definitions of this version', () => {
  it('say by their names what they define', () => {
    for (const { name, kind, object, sql: text } of listDefinitions()) {
      const made = [...text.matchAll(/^create (?:or replace )?(?:constraint )?(function|view|trigger) ([\w.]+)/gm)];
      if (kind === 'triggers') {
        expect(made.length, name).toBeGreaterThan(0);
        const tables = [...text.matchAll(/^create [^;]*?\son (\w+)/gm)].map(([, table]) => table);
        expect(new Set(tables), name).toEqual(new Set([object]));
      } else if (kind !== 'roles') expect(made.map(([, what, of]) => `${what}s/${of}`)).toEqual([name]);
    }
  });

  it("spell out the columns of views, so that a column of a table is no view's before its file says so", () => {
    const views = listDefinitions().filter(({ kind }) => kind === 'views');
    expect(views.filter((view) => /\bselect (?:\w+\.)?\*/.test(view.sql)).map(({ name }) => name)).toEqual([]);
  });

  it('let oversight read each of its views', async () => {
    const unreadable = await rail.rows(sql`
      select oid::regclass::text from pg_class where relnamespace = 'oversight'::regnamespace and relkind = 'v'
        and not has_table_privilege('rail_oversight', oid, 'select')`);
    expect(unreadable).toEqual([]);
  });
});
