import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMON_ENTRIES } from '../../../src/app/development/inventory/entry.ts';
import { GROUPS, listTables } from '../../../src/app/development/inventory/inventory.ts';
import { makePage } from '../../../src/app/development/inventory/page.ts';
import { READINGS } from '../../../src/app/development/inventory/oversight.ts';
import { UNVERIFIED, VERIFIED } from '../../../src/app/development/inventory/verified.ts';
import { CRONTAB } from '../../../src/app/jobs/tasks.ts';
import { getDatamodel } from '../../../src/generated/pothos.ts';
import { type Model, columnsOf } from '../../../src/platform/database/record.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { pageAt } from '../../harness/pages.ts';
import { testRail } from '../../harness/rail.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const rail = testRail();
const tables = listTables();
const { models } = getDatamodel().datamodel;

const entryOf = (table: string, column: string) =>
  tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)?.entry;

describe('the data inventory', () => {
  it('has an entry for every table and every column', () => {
    expect(tables.length).toBeGreaterThan(80);
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.values(GROUPS).flat().toSorted());
    expect(tables.filter(({ holds, shown }) => !holds || !shown)).toEqual([]);
    const unsaid = tables.flatMap(({ name, columns }) =>
      columns.filter(({ entry }) => !entry).map((column) => `${name}.${column.name}`),
    );
    expect(unsaid).toEqual([]);
  });

  it('has no common entry that no column takes', () => {
    const taken = new Set(tables.flatMap(({ columns }) => columns.map(({ entry }) => entry)));
    expect([...COMMON_ENTRIES].filter(([, entry]) => !taken.has(entry))).toEqual([]);
  });

  it('says of each table whether a verification covers it', () => {
    const others = tables.filter(({ unverified }) => unverified !== undefined && unverified in UNVERIFIED);
    const said = [...Object.keys(VERIFIED), ...others.map(({ name }) => name)];
    expect(said.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it('is the page that is committed: npm run inventory:print writes it', () => {
    expect(pageAt('docs/security/data-inventory.md').text).toBe(makePage());
  });

  it('says of each table whose rows the code deletes that they are removed, and by which job', () => {
    const code = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/{generated,sandbox}/**'] })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n');
    const deleted = tables
      .filter(({ name }) => new RegExp(`delete from ${name}\\b`).test(code))
      .map(({ name }) => name);
    expect(deleted.length).toBeGreaterThan(20);
    expect(tables.filter(({ name, removed }) => deleted.includes(name) && !removed)).toEqual([]);
    const kept = tables.filter(({ name, appendOnly }) => appendOnly && deleted.includes(name)).map(({ name }) => name);
    expect(kept).toEqual([]);
    const jobs = CRONTAB.match(/(?<=\* )\w+(?= |$)/gm)!;
    const named = tables.flatMap(({ removed }) => removed?.match(/(?<=by `)\w+(?=`)/g) ?? []);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((job) => !jobs.includes(job))).toEqual([]);
  });
});

describe('what the inventory calls a credential', () => {
  /** The columns that a record of a model is not read with. */
  const leftOut = (model: string) => {
    const read = new Set(columnsOf(model as Model).sql.match(/(?<=\br\.)\w+/g));
    return tables.find((table) => table.model === model)!.columns.filter(({ name }) => !read.has(name));
  };
  const known = tables.filter(({ model }) => model in models);

  it('is read with no record', () => {
    const credentials = known.flatMap(({ name, columns }) =>
      columns.filter(({ entry }) => entry?.[0] === 'credential').map((column) => `${name}.${column.name}`),
    );
    const unread = known.flatMap(({ name, model }) => leftOut(model).map((column) => `${name}.${column.name}`));
    expect(credentials.length).toBeGreaterThan(15);
    expect(credentials.filter((column) => !unread.includes(column))).toEqual([]);
  });

  it('is all text that records are not read with', () => {
    const secrets = known.flatMap(({ model }) => {
      const texts = models[model]!.fields.filter(({ type }) => type === 'String').map(({ name }) => name);
      return leftOut(model).filter(({ name }) => texts.some((text) => text.toLowerCase() === name.replaceAll('_', '')));
    });
    expect(secrets.length).toBeGreaterThan(2);
    for (const { entry } of secrets) expect(entry![0]).toBe('credential');
  });
});

describe('what names a person', () => {
  it('is read by no view of oversight, except as the inventory says', async () => {
    const read = await rail.rows<{ column: string; view: string }>(sql`
      with recursive reads as (
        select v.oid as view, d.refobjid as source, d.refobjsubid as place
        from pg_class v join pg_rewrite r on r.ev_class = v.oid
          join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
        where v.relkind = 'v' and d.refobjid <> v.oid and d.refobjsubid > 0
      ), reached as (
        select view as top, source, place from reads where view in (select oid from pg_class where relnamespace = 'oversight'::regnamespace)
        union
        select a.top, b.source, b.place from reached a join reads b on b.view = a.source
      )
      select distinct c.relname || '.' || a.attname as column, v.relname as view
      from reached x join pg_class c on c.oid = x.source and c.relkind in ('r', 'p') join pg_class v on v.oid = x.top
        join pg_attribute a on a.attrelid = x.source and a.attnum = x.place
      where c.relnamespace = 'public'::regnamespace
      order by 1, 2`);
    expect(read.length).toBeGreaterThan(100);
    const naming = read.filter(({ column }) => {
      const [table, name] = column.split('.');
      const [category, whose] = entryOf(table!, name!)!;
      return whose !== 'nobody' || category === 'credential';
    });
    const said = READINGS.flatMap(([column, views]) => views.map((view) => `${column} ${view}`));
    expect(naming.map(({ column, view }) => `${column} ${view}`).toSorted()).toEqual(said.toSorted());
  });
});
