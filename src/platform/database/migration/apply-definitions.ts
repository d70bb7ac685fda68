import pg from 'pg';
import type { Definition } from './definitions.ts';
import { VERSION_NUMBERS } from './version.ts';

/** Definitions of a database, by the hashes of their files, and the version that applied them. */
export const DEFINITIONS_TABLE =
  'create table if not exists _definitions (name text primary key, hash text not null, version integer[] not null)';

/** Work to bring a database to the definitions of a version. */
export interface DefinitionChange {
  readonly changed: readonly Definition[];
  /** The names of those whose files are gone. */
  readonly gone: readonly string[];
}

/**
 * Compares definitions with those of the database. Those of a later version are left as they are: a process of the
 * version before that starts again meanwhile would take back what the later one needs.
 */
export async function planDefinitions(
  client: pg.Client,
  definitions: readonly Definition[],
): Promise<DefinitionChange> {
  const { rows } = await client.query<{ name: string; hash: string; later: boolean }>(
    'select name, hash, version > $1::integer[] as later from _definitions order by name',
    [VERSION_NUMBERS],
  );
  if (rows.some(({ later }) => later)) return { changed: [], gone: [] };
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const names = new Set(definitions.map(({ name }) => name));
  return {
    changed: definitions.filter(({ name, hash }) => applied.get(name) !== hash),
    gone: rows.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/**
 * Applies the definitions that changed, in order, with the views that read a changed view, and drops those that are
 * gone. What cannot be replaced in place is dropped with what depends on it, and all of it is made again; so is what a
 * migration of the same transaction dropped, to change what it stood on.
 */
export async function applyDefinitions(
  client: pg.Client,
  { changed, gone }: DefinitionChange,
  definitions: readonly Definition[],
): Promise<void> {
  const ours = new Set([...definitions.map(({ name }) => name), ...gone]);
  const absent = await listAbsent(client, definitions);
  const due = new Set([...changed.map(({ name }) => name), ...absent]);
  for (const name of gone) for (const dropped of await drop(client, name, ours)) due.add(dropped);
  if (due.size === 0 && gone.length === 0) return;
  const isFresh = absent.length === definitions.filter(({ kind }) => kind !== 'roles').length;
  if (isFresh) await client.query(definitions.map(({ sql }) => sql).join('\n'));
  for (const definition of isFresh ? [] : definitions) {
    if (definition.kind === 'views' && definition.needs.some((name) => name.startsWith('views/') && due.has(name)))
      due.add(definition.name);
    // Roles always run: objects that were made again have lost their grants.
    if (definition.kind !== 'roles' && !due.has(definition.name)) continue;
    if (await replace(client, definition)) continue;
    for (const dropped of await drop(client, definition.name, ours)) due.add(dropped);
    await client.query(definition.sql);
  }
  await client.query('delete from _definitions where name = any($1)', [gone]);
  await client.query(
    `insert into _definitions (name, hash, version) select name, hash, $3::integer[] from unnest($1::text[], $2::text[]) d (name, hash)
     on conflict (name) do update set hash = excluded.hash, version = excluded.version`,
    [definitions.map(({ name }) => name), definitions.map(({ hash }) => hash), VERSION_NUMBERS],
  );
}

/** The names of the definitions whose objects are not there. */
async function listAbsent(client: pg.Client, definitions: readonly Definition[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[], $2::text[], $3::text[]) d (name, kind, object) where case kind
       when 'functions' then to_regproc(object) is null
       when 'views' then to_regclass(object) is null
       when 'triggers' then not exists (select from pg_trigger where tgrelid = to_regclass(object) and not tgisinternal)
     end`,
    [definitions.map(({ name }) => name), definitions.map(({ kind }) => kind), definitions.map(({ object }) => object)],
  );
  return rows.map(({ name }) => name);
}

/** Replaces a function or a view in place; whether that is possible. */
async function replace(client: pg.Client, { kind, object, sql }: Definition): Promise<boolean> {
  if (kind !== 'functions' && kind !== 'views') return false;
  await client.query('savepoint definition');
  try {
    await client.query(sql);
    // After its arguments changed, there are two functions of the name, which none is then.
    const { rows } = await client.query<{ one: boolean }>('select to_regproc($1) is not null as one', [object]);
    if (kind === 'views' || rows[0]!.one) return true;
  } catch (error) {
    // It answers other columns or types.
    if (!(error instanceof pg.DatabaseError && (error.code === '42P13' || error.code === '42P16'))) throw error;
  }
  await client.query('rollback to savepoint definition');
  return false;
}

/**
 * Drops what a definition made, with what depends on it; the names of the definitions of all that. A role is of the
 * whole server, and stays.
 */
async function drop(client: pg.Client, name: string, ours: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ type: string; identity: string }>(DEPENDANTS, name.split('/'));
  // `function public.measure()` is of functions/measure, `trigger measured on public.word` of triggers/word.
  const dropped = rows.map(
    ({ type, identity }) => `${type}s/${identity.replace(/^.* on /, '').replace(/^public\.|\(.*$/g, '')}`,
  );
  const others = rows.filter((_, place) => !ours.has(dropped[place]!)).map(({ identity }) => identity);
  if (others.length > 0)
    throw new Error(`${name} cannot be replaced, and there depends on it what is not the rail's: ${others.join(', ')}`);
  for (const { type, identity } of rows) await client.query(`drop ${type} ${identity}`);
  return dropped;
}

/**
 * The functions of a name, its view, or the triggers of its table, and what depends on them: the farthest first, as they
 * have to be dropped.
 */
const DEPENDANTS = `
  with recursive dependant (class, id, steps) as (
    select 'pg_proc'::regclass::oid, oid, 0 from pg_proc
    where $1 = 'functions' and concat(pronamespace::regnamespace, '.', proname) in ($2, 'public.' || $2)
    union all
    select 'pg_class'::regclass, to_regclass($2), 0 where $1 = 'views' and to_regclass($2) is not null
    union all
    select 'pg_trigger'::regclass, oid, 0 from pg_trigger
    where $1 = 'triggers' and tgrelid = to_regclass($2) and not tgisinternal and tgparentid = 0
    union all
    select case when r.oid is null then d.classid else 'pg_class'::regclass end, coalesce(r.ev_class, d.objid), o.steps + 1
    from dependant o join pg_depend d on d.refclassid = o.class and d.refobjid = o.id and d.deptype = 'n'
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    where r.ev_class is distinct from o.id
  )
  select type, identity from dependant d, pg_identify_object(class, id, 0)
  where not exists (select from pg_trigger where class = 'pg_trigger'::regclass and oid = id and tgparentid <> 0)
  group by type, identity order by max(steps) desc`;
