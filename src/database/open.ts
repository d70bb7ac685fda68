import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { type Database, database, statementName } from './sql.ts';

export interface Connections {
  readonly url: string;
  readonly prisma: PrismaClient;
  readonly db: Database;
  /** What both of them are made of. */
  readonly pool: pg.Pool;
  /** What oversight reads by: a role that sees its own views alone, and changes nothing. */
  readonly oversight: Database;
  /** Connections of that role that are held for as long as something is read through them. */
  readonly oversightPool: pg.Pool;
  /** Runs statements as one transaction; for the rare thing that does not fit one statement. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** A connection of its own for what every answer waits for, so that it never queues behind other work. */
  readonly audit: Database;
  close(): Promise<void>;
}

const OVERSIGHT_CONNECTIONS = 4;
/** A question that takes longer than this is asked too widely. */
const OVERSIGHT_SESSION = '-c role=rail_oversight -c default_transaction_read_only=on -c statement_timeout=30000 -c timezone=UTC';

/** One pool for both ways to the database: Prisma for reads of any shape, prepared statements for the hot path. */
export function openDatabase(
  { url, replicaUrl }: { url: string; replicaUrl: string | null },
  connections: number,
  onIdleError: (error: Error) => void,
): Connections {
  const poolOf = (max: number) => {
    const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5_000, keepAlive: true, application_name: 'revenue-rail' });
    pool.on('error', onIdleError);
    return pool;
  };
  const pool = poolOf(connections);
  const auditPool = poolOf(1);
  const oversightPool = new pg.Pool({
    connectionString: replicaUrl ?? url,
    max: OVERSIGHT_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'revenue-rail oversight',
    options: OVERSIGHT_SESSION,
  });
  oversightPool.on('error', onIdleError);
  const adapter = new PrismaPg(pool, { statementNameGenerator: (query) => statementName(query.sql) });
  const prisma = new PrismaClient({ adapter });
  return {
    url,
    prisma,
    db: database(pool),
    pool,
    oversight: database(oversightPool),
    oversightPool,
    transaction: (run) => inTransaction(pool, run),
    audit: database(auditPool),
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool, auditPool, oversightPool].filter(({ ended }) => !ended).map((one) => one.end()));
    },
  };
}

async function inTransaction<T>(pool: pg.Pool, run: (db: Database) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await run(database(client));
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection whose transaction could not be ended is not used again.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
