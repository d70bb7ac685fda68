import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as runQueueMigrations } from 'graphile-worker';
import pg from 'pg';
import { runOnConnection, openPool } from '../connection/connection.ts';
import { DEFINITIONS_TABLE, type DefinitionChange, applyDefinitions, planDefinitions } from './apply-definitions.ts';
import { MIGRATIONS_TABLE, book, readBooked } from './booked.ts';
import { type Definition, listDefinitions } from './definitions.ts';
import { requireNoneOlder } from './contract.ts';
import { type IndexBuild, type Migration, isContract, listMigrations, listStatements } from './list.ts';
import { grantRuntimeRole } from './runtime-role.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

/** Any number that nobody else uses: held while migrating, so that processes started together wait for one another. */
const MIGRATION_LOCK = 7_283_001;
/** Pause of waiting processes between two checks, in milliseconds. */
const WAIT_MS = 200;
/** Longest wait of a transaction for a lock, in milliseconds: requests that come after it wait as long. */
const LOCK_MS = 2_000;
/** A lock is not to be had in that time, or never: a writer that has it waits for this transaction. */
const LOCKED = ['55P03', '40P01'];

/** Version that a database is brought to. */
interface Version {
  readonly migrations: readonly Migration[];
  readonly definitions: readonly Definition[];
}

let version: Version | undefined;

/** The version of this process: read once, as its code is. */
const present = (): Version => (version ??= { migrations: listMigrations(), definitions: listDefinitions() });

/**
 * Brings a database to this version. Each missing migration is applied in a transaction of its own; one that says
 * `-- Outside a transaction` in its first line, statement by statement, and from its beginning again where it was
 * broken off. Once whole it is booked with its checksum. The definitions that changed are applied with the last
 * transaction, or in one of their own; where nothing is missing, nothing is locked. What contracts is applied where that
 * is asked for, and to a new database, which no other version uses. Answers the names of the migrations and changed
 * definitions that were applied now.
 */
export async function migrate(url: string, to: Version = present(), { contract = false } = {}): Promise<string[]> {
  return runOnConnection(url, { name: 'migration', work: 'migration' }, async (client) => {
    await lock(client);
    const { isFresh, missing, definitions, change } = await planMigration(client, to, contract);
    if (isFresh) await client.query(`${MIGRATIONS_TABLE}; ${DEFINITIONS_TABLE}`);
    else if (missing.some(({ name }) => isContract(name))) await requireNoneOlder(client);
    const applyChange = () => applyDefinitions(client, change, definitions);
    const last = missing.findLast((migration) => !listStatements(migration));
    for (const migration of missing) await apply(client, migration, migration === last ? applyChange : async () => {});
    const changed = listNames(change);
    if (!last && changed.length > 0) await transact(client, applyChange);
    // The queue has migrations of its own; jobs are queued by processes that run none, too.
    await migrateQueue(url);
    await grantRuntimeRole(client);
    return [...missing.map(({ name }) => name), ...(isFresh ? [] : changed)];
  });
}

/** The migrations and definitions of this version that a database lacks; what contracts may wait. */
export async function listMissing(url: string, of: Version = present()): Promise<string[]> {
  return runOnConnection(url, { name: 'migration', work: 'job' }, async (client) => {
    const { missing, change } = await planMigration(client, of, false);
    return [...missing.map(({ name }) => name), ...listNames(change)];
  });
}

/** Parts of a version that a database lacks. */
interface Plan {
  readonly isFresh: boolean;
  readonly missing: readonly Migration[];
  /** The definitions that hold once it is migrated: not those that a migration has ended. */
  readonly definitions: readonly Definition[];
  readonly change: DefinitionChange;
}

async function planMigration(client: pg.Client, to: Version, contract: boolean): Promise<Plan> {
  const booked = await readBooked(client, to.migrations[0]!);
  const isFresh = booked.size === 0;
  const missing = to.migrations.filter(
    (migration) => isMissing(migration, booked) && (isFresh || contract || !isContract(migration.name)),
  );
  const names = new Set([...booked.keys(), ...missing.map(({ name }) => name)]);
  const definitions = to.definitions.filter(({ until }) => until === null || !names.has(until));
  const change = isFresh ? { changed: definitions, gone: [] } : await planDefinitions(client, definitions);
  return { isFresh, missing, definitions, change };
}

const listNames = ({ changed, gone }: DefinitionChange) => [...changed.map(({ name }) => name), ...gone];

/** True if a database lacks a migration. Throws if it has another of that name. */
function isMissing({ name, checksum }: Migration, booked: ReadonlyMap<string, string>): boolean {
  const there = booked.get(name);
  if (there && there !== checksum)
    throw new Error(`Migration ${name} was changed after it had been applied to this database`);
  return !there;
}

/**
 * Waits until nobody else migrates, by asking again and again: a statement that waited for the lock would be one that
 * the building of an index waits for in its turn.
 */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select where pg_try_advisory_lock($1)', [MIGRATION_LOCK]);
    if (rows.length > 0) return;
    await sleep(WAIT_MS);
  }
}

async function migrateQueue(url: string): Promise<void> {
  const pgPool = openPool(url, { name: 'migration', work: 'migration' }, 1, () => {});
  try {
    await runQueueMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/** Applies a migration; what is done `after` it belongs to its transaction. */
async function apply(client: pg.Client, migration: Migration, after: () => Promise<void>): Promise<void> {
  const statements = listStatements(migration);
  try {
    if (!statements)
      return await transact(client, async () => {
        await client.query(migration.sql);
        await book(client, migration);
        await after();
      });
    for (const { text, index } of statements) await (index ? buildIndex(client, index) : client.query(text));
    await book(client, migration);
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** Runs a transaction; where others use for long what it has to lock, it lets them go first, and begins again. */
async function transact(client: pg.Client, run: () => Promise<void>): Promise<void> {
  for (;;) {
    await client.query(`begin; set local lock_timeout = ${LOCK_MS}`);
    try {
      await run();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError && LOCKED.includes(error.code ?? ''))) throw error;
    }
    await sleep(WAIT_MS);
  }
}

/**
 * Builds an index while others write. One of a partitioned table is built on each of its parts, and then put together,
 * for which nothing is left to be read.
 */
async function buildIndex(client: pg.Client, { kind, name, table, definition }: IndexBuild): Promise<void> {
  const { rows: parts } = await client.query<{ part: string }>(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass($1) order by 1',
    [table],
  );
  const builds = parts.map(({ part }) => ({ name: `${name}${part.slice(table.length)}`, table: part }));
  for (const build of parts.length > 0 ? builds : [{ name, table }]) {
    await dropBroken(client, build.name);
    await client.query(`create ${kind} concurrently if not exists ${build.name} on ${build.table} ${definition}`);
  }
  if (parts.length > 0) await client.query(`create ${kind} if not exists ${name} on ${table} ${definition}`);
}

/** Drops what is left of an index whose building was broken off: nothing uses it, and `if not exists` would spare it. */
async function dropBroken(client: pg.Client, index: string): Promise<void> {
  const broken = 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid';
  if ((await client.query(broken, [index])).rows.length > 0) await client.query(`drop index concurrently ${index}`);
}
