import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { type Database, database, statementName } from './sql.ts';

export interface Connections {
  readonly url: string;
  readonly prisma: PrismaClient;
  readonly db: Database;
  close(): Promise<void>;
}

/** One pool for both ways to the database: Prisma for reads of any shape, prepared statements for the hot path. */
export function openDatabase(url: string, connections: number, onIdleError: (error: Error) => void): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'revenue-rail',
  });
  pool.on('error', onIdleError);
  const adapter = new PrismaPg(pool, { statementNameGenerator: (query) => statementName(query.sql) });
  const prisma = new PrismaClient({ adapter });
  return {
    url,
    prisma,
    db: database(pool),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
