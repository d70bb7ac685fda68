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
  /** A connection of its own for what every answer waits for, so that it never queues behind other work. */
  readonly audit: Database;
  close(): Promise<void>;
}

/** One pool for both ways to the database: Prisma for reads of any shape, prepared statements for the hot path. */
export function openDatabase(url: string, connections: number, onIdleError: (error: Error) => void): Connections {
  const poolOf = (max: number) => {
    const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5_000, keepAlive: true, application_name: 'revenue-rail' });
    pool.on('error', onIdleError);
    return pool;
  };
  const pool = poolOf(connections);
  const auditPool = poolOf(1);
  const adapter = new PrismaPg(pool, { statementNameGenerator: (query) => statementName(query.sql) });
  const prisma = new PrismaClient({ adapter });
  return {
    url,
    prisma,
    db: database(pool),
    pool,
    audit: database(auditPool),
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool, auditPool].filter(({ ended }) => !ended).map((one) => one.end()));
    },
  };
}
