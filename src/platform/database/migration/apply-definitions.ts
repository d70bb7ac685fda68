import pg from 'pg';
import type { Definition, DefinitionKind } from './definitions.ts';
import { VERSION_NUMBERS } from './version.ts';

/** Which definitions a database has, by the hashes of their files, and which version applied them. */
export const DEFINITIONS_TABLE =
  'create table if not exists _definitions (name text primary key, hash text not null, version integer[] not null)';

/** What has to be done for a database to have the definitions of a version. */
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

/** Applies all definitions to a database that has none. */
export async function applyAll(client: pg.Client, definitions: readonly Definition[]): Promise<void> {
  await client.query(definitions.map(({ sql }) => sql).join('\n'));
  await recordDefinitions(client, definitions);
}

/**
 * Applies the definitions that changed, in order, with the views that read a changed view, and drops those that are
 * gone. What cannot be replaced in place is dropped with what depends on it, and all of it is made again; so is what a
 * migration of the same transaction dropped, to change what it stood on.
 */
export async function applyChanged(
  client: pg.Client,
  { changed, gone }: DefinitionChange,
  definitions: readonly Definition[],
): Promise<void> {
  const ours = new Set([...definitions.map(({ name }) => name), ...gone]);
  const due = new Set([...changed.map(({ name }) => name), ...(await listAbsent(client, definitions))]);
  if (due.size === 0 && gone.length === 0) return;
  for (const definition of definitions) {
    if (definition.kind === 'views' && definition.needs.some((name) => name.startsWith('views/') && due.has(name)))
      due.add(definition.name);
    // What was made again has lost its grants.
    if (definition.kind !== 'roles' && !due.has(definition.name)) continue;
    if (definition.kind === 'functions' || definition.kind === 'views')
      for (const name of await replace(client, definition, ours)) due.add(name);
    else {
      if (definition.kind === 'triggers') await dropTriggers(client, definition.object);
      await client.query(definition.sql);
    }
  }
  await dropGone(client, gone);
  await client.query('delete from _definitions where name = any($1)', [gone]);
  await recordDefinitions(client, definitions);
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

/** Books definitions as those that the database has. */
async function recordDefinitions(client: pg.Client, definitions: readonly Definition[]): Promise<void> {
  await client.query(
    `insert into _definitions (name, hash, version) select name, hash, $3::integer[] from unnest($1::text[], $2::text[]) d (name, hash)
     on conflict (name) do update set hash = excluded.hash, version = excluded.version`,
    [definitions.map(({ name }) => name), definitions.map(({ hash }) => hash), VERSION_NUMBERS],
  );
}

/** Replaces a function or a view; answers the names of the definitions that had to be dropped for it. */
async function replace(client: pg.Client, definition: Definition, ours: ReadonlySet<string>): Promise<string[]> {
  await client.query('savepoint definition');
  try {
    await client.query(definition.sql);
    if (definition.kind === 'views' || (await countFunctions(client, definition.object)) === 1) return [];
  } catch (error) {
    if (!isIrreplaceable(error)) throw error;
  }
  await client.query('rollback to savepoint definition');
  const dropped = await dropWithDependants(client, definition, ours);
  await client.query(definition.sql);
  return dropped;
}

/** Whether a function or view has to be dropped first, as where it answers other columns or types. */
function isIrreplaceable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P13' || error.code === '42P16');
}

/** How many functions there are of a name: two after its arguments changed. */
async function countFunctions(client: pg.Client, object: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from pg_proc where proname = $1 and pronamespace = $2::regnamespace',
    splitName(object),
  );
  return rows[0]!.count;
}

/** The name of an object, and its schema. */
function splitName(object: string): [name: string, schema: string] {
  const [name, schema] = object.split('.').toReversed();
  return [name!, schema ?? 'public'];
}

interface Dropped {
  readonly kind: DefinitionKind;
  /** The function or view, or the table of a trigger. */
  readonly object: string;
  readonly statement: string;
}

async function dropWithDependants(
  client: pg.Client,
  definition: Definition,
  ours: ReadonlySet<string>,
): Promise<string[]> {
  const { rows } = await client.query<Dropped>(DEPENDANTS, splitName(definition.object));
  const names = rows.map(({ kind, object }) => `${kind}/${object}`);
  const others = rows.filter((_, place) => !ours.has(names[place]!)).map(({ object }) => object);
  if (others.length > 0)
    throw new Error(
      `${definition.name} cannot be replaced, and there depends on it what is not the rail's: ${others.join(', ')}`,
    );
  for (const { statement } of rows) await client.query(statement);
  return names;
}

/** Drops the triggers of a table: its file makes all that it has. */
async function dropTriggers(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement from pg_trigger
     where tgrelid = to_regclass($1) and not tgisinternal and tgparentid = 0`,
    [table],
  );
  for (const { statement } of rows) await client.query(statement);
}

/** Drops what no file defines any more, what depends on others first. A role is of the whole server, and stays. */
async function dropGone(client: pg.Client, gone: readonly string[]): Promise<void> {
  const objectsOf = (kind: DefinitionKind) =>
    gone.filter((name) => name.startsWith(`${kind}/`)).map((name) => name.slice(kind.length + 1));
  for (const table of objectsOf('triggers')) await dropTriggers(client, table);
  for (const kind of ['views', 'functions'] as const) {
    const objects = objectsOf(kind);
    if (objects.length > 0) await client.query(`drop ${kind.slice(0, -1)} if exists ${objects.join(', ')}`);
  }
}

/**
 * What depends on the functions or the view of a name, and these themselves: the farthest first, as they have to be
 * dropped.
 */
const DEPENDANTS = `
  with recursive dependant (class, id, steps) as (
    select 'pg_proc'::regclass::oid, oid, 0 from pg_proc where proname = $1 and pronamespace = $2::regnamespace
    union all
    select 'pg_class'::regclass::oid, oid, 0 from pg_class where relname = $1 and relnamespace = $2::regnamespace and relkind = 'v'
    union all
    select case when r.oid is null then d.classid else 'pg_class'::regclass::oid end, coalesce(r.ev_class, d.objid), o.steps + 1
    from dependant o join pg_depend d on d.refclassid = o.class and d.refobjid = o.id and d.deptype = 'n'
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    where r.ev_class is distinct from o.id
  )
  select case when v.oid is not null then 'views' when t.oid is not null then 'triggers' when p.oid is not null then 'functions' else 'others' end as kind,
    coalesce(v.oid::regclass::text, t.tgrelid::regclass::text, nullif(p.pronamespace::regnamespace::text, 'public') || '.' || p.proname, p.proname, pg_describe_object(class, id, 0)) as object,
    case when v.oid is not null then format('drop view %s', v.oid::regclass)
      when t.oid is not null then format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
      when p.oid is not null then format('drop function %s', p.oid::regprocedure) end as statement
  from (select class, id, max(steps) as steps from dependant group by class, id) d
  left join pg_class v on class = 'pg_class'::regclass and v.oid = id and v.relkind = 'v'
  left join pg_trigger t on class = 'pg_trigger'::regclass and t.oid = id
  left join pg_proc p on class = 'pg_proc'::regclass and p.oid = id
  where t.oid is null or t.tgparentid = 0
  order by steps desc`;
