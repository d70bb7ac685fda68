import {
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  bindMigrationAwareSqlAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';

/** A file of Prisma's schema. */
export interface SchemaFile {
  readonly path: string;
  readonly content: string;
}

/** Output of Prisma's engine if there is nothing to do. */
const EMPTY = '-- This is an empty migration.\n';

/**
 * The SQL that leads from one of Prisma's schemas to another, as its own engine writes it; empty where they differ in
 * nothing that a database knows. It is a draft: the engine knows of no checks, triggers, views or partitions, and drops
 * and adds what was renamed. Throws what the engine says of a schema that does not hold.
 */
export async function diffSchemas(before: readonly SchemaFile[], after: readonly SchemaFile[]): Promise<string> {
  const engine = await SchemaEngine.new(
    { datamodels: undefined },
    () => {},
    bindMigrationAwareSqlAdapterFactory(NO_DATABASE),
  );
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatamodel', files: [...before] },
      to: { tag: 'schemaDatamodel', files: [...after] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout === EMPTY ? '' : (stdout ?? '');
  } finally {
    engine.free();
  }
}

/**
 * Two schemas are compared without a database, but the engine greets one before it does anything; here nobody answers.
 */
const connection: SqlDriverAdapter = {
  provider: 'postgres',
  adapterName: 'none',
  queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
  executeRaw: async () => 0,
  executeScript: async () => {},
  startTransaction: () => Promise.reject(new Error('There is no database to compare with')),
  dispose: async () => {},
};
const NO_DATABASE: SqlMigrationAwareDriverAdapterFactory = {
  provider: 'postgres',
  adapterName: 'none',
  connect: async () => connection,
  connectToShadowDb: async () => connection,
};
