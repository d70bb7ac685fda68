import pg from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type RoutedPool, openPool } from './connection/connection.ts';
import { isOutage, isTimedOut, retryOnConflict } from './errors.ts';
import { DatabaseHealth } from './health.ts';
import { Pipeline } from './pipeline.ts';
import { type Database, type Planning, type Sql, database, statementName } from './sql.ts';
import { say } from '../../kernel/text/said.ts';

/** A way to the database for one kind of work. */
export interface Reach {
  readonly db: Database;
  /** Runs statements as one transaction, again where it lost against another; for the rare thing that does not fit one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** Pool that both are made of. */
  readonly pool: pg.Pool;
}

/** Reads of several things as of one moment. */
export interface Source {
  readonly db: Database;
  /** Reads as of the present moment, or that of another snapshot, by its name. */
  snapshot<T>(run: (client: pg.PoolClient) => Promise<T>, same?: string): Promise<T>;
}

/** Public view of pools of connections. */
export type Pools = Readonly<Record<string, Pick<RoutedPool, 'totalCount' | 'idleCount' | 'waitingCount' | 'waits'>>>;

/** All ways of one process to its database. */
export interface DatabaseConnections extends Reach {
  /** Prisma's client, which is loaded when it is first asked for. */
  prisma(): Promise<PrismaClient>;
  /** Background work: it takes longer, and must not keep connections from requests. */
  readonly background: Reach;
  /** Database for oversight, by a role that sees its own views alone, and changes nothing. */
  readonly oversight: Database;
  /** Source of the columnar copy of facts, by the same role. */
  readonly facts: Source;
  /** A connection of its own for what every answer waits for, so that it never queues behind other work. */
  readonly audit: Database;
  /** Their connections, by what they are for. */
  readonly pools: Pools;
  /** State of the database: it answers and takes writes, or does not. */
  readonly health: DatabaseHealth;
  close(): Promise<void>;
}

const OVERSIGHT_CONNECTIONS = 4;
/** Connections that fill a copy of facts at a time. */
const FACTS_CONNECTIONS = 2;
/** Connections for short reads, which follow one another. */
const PIPELINED_CONNECTIONS = 2;
/** The queue listens on one of them, and runs two jobs at a time; the loops share the rest. */
const BACKGROUND_CONNECTIONS = 5;
/** Requests share the processors: none takes several of them for a page of a list. */
const REQUEST_SESSION = { max_parallel_workers_per_gather: 0 };
/** PostgreSQL plans a prepared statement five times, on each connection, before it keeps a plan: here the first is kept. */
const PLANNED_ONCE = { ...REQUEST_SESSION, plan_cache_mode: 'force_generic_plan' };
/** For what is planned for the values of each time. */
const PLANNING_CONNECTIONS = 2;
const OVERSIGHT_SESSION = {
  role: 'rail_oversight',
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  // Years of figures are sorted in memory.
  work_mem: '32MB',
  // Other processes take longer to begin than a page of a list takes to read: they are for years of figures.
  parallel_setup_cost: 5000,
};

/** One pool for both ways to the database: prepared statements, and Prisma's client for commands. */
export function openDatabase(
  { url, replicaUrl }: { url: string; replicaUrl: string | null },
  connections: number,
  onLost: (error: Error) => void,
): DatabaseConnections {
  const pool = openPool(url, { name: '', work: 'request', settings: PLANNED_ONCE }, connections, onLost);
  const planning = openPool(
    url,
    { name: 'planning', work: 'request', settings: REQUEST_SESSION },
    PLANNING_CONNECTIONS,
    onLost,
  );
  const reads = openPool(
    url,
    { name: 'reads', work: 'request', settings: { ...PLANNED_ONCE, default_transaction_read_only: 'on' } },
    PIPELINED_CONNECTIONS,
    onLost,
    { pipeline: true },
  );
  const background = openPool(url, { name: 'background', work: 'job' }, BACKGROUND_CONNECTIONS, onLost);
  const audit = openPool(url, { name: 'audit', work: 'request' }, 1, onLost);
  const oversight = openPool(
    replicaUrl ?? url,
    { name: 'oversight', work: 'oversight', settings: OVERSIGHT_SESSION },
    OVERSIGHT_CONNECTIONS,
    onLost,
  );
  const facts = openPool(
    replicaUrl ?? url,
    { name: 'facts', work: 'job', settings: OVERSIGHT_SESSION },
    FACTS_CONNECTIONS,
    onLost,
  );
  const health = new DatabaseHealth(url, onLost);
  const recordError = (error: unknown) => health.recordError(error);
  let prisma: Promise<PrismaClient> | null = null;
  return {
    prisma: () => (prisma ??= openPrisma(pool)),
    ...reach(pool, recordError, new Pipeline(reads), planning),
    background: reach(background, recordError, null),
    oversight: refuseTooWide(database(oversight)),
    facts: {
      db: database(facts),
      snapshot: (run, same) => {
        const begin = same ? `${SNAPSHOT}; set transaction snapshot ${pg.escapeLiteral(same)}` : SNAPSHOT;
        return runInTransaction(facts, run, begin);
      },
    },
    audit: database(audit, recordError),
    pools: { requests: pool, reads, planning, background, audit, oversight, facts },
    health,
    close: async () => {
      await (await prisma)?.$disconnect();
      await Promise.all([
        ...[pool, reads, planning, background, audit, oversight, facts]
          .filter(({ ended }) => !ended)
          .map((one) => one.end()),
        health.close(),
      ]);
    },
  };
}

/** Prisma's client, which a server does without: it takes tens of megabytes. */
async function openPrisma(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../../generated/prisma/client.ts'),
  ]);
  return new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) }) });
}

/** Tells who asks oversight what takes longer than its limit to ask for less. */
function refuseTooWide(db: Database): Database {
  const rows = async <Row>(query: Sql, planned?: Planning): Promise<Row[]> => {
    try {
      return await db.rows<Row>(query, planned);
    } catch (error) {
      if (!isTimedOut(error)) throw error;
      throw new Refusal('validation_failed', say`The query takes too long; ask for fewer groups or a shorter period`);
    }
  };
  return { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] ?? null };
}

function reach(
  pool: pg.Pool,
  onFailure: (error: unknown) => void,
  pipeline: Pipeline | null,
  planning: pg.Pool = pool,
): Reach {
  return {
    db: database(pool, onFailure, pipeline, planning),
    pool,
    transaction: (run) =>
      retryOnConflict(() =>
        runInTransaction(pool, (client) => run({ ...database(client, onFailure), inTransaction: true })),
      ),
  };
}

/** All of its statements see the same moment. */
const SNAPSHOT = 'begin isolation level repeatable read, read only';

async function runInTransaction<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await run(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection whose transaction could not be ended is not used again.
    if (isOutage(error)) client.release(true);
    else
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      );
    throw error;
  }
}
