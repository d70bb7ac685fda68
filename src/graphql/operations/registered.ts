import { columnsOf, type Stored } from '../../platform/database/record.ts';
import { type Database, sql } from '../../platform/database/sql.ts';

export type RegisteredOperation = Stored<'RegisteredOperation'>;

/** Name of an operation, and its version; the latest if that is left out. */
const REFERENCE = /^([a-z][a-z0-9-]{2,63})(?:@([1-9]\d?))?$/;

/** A registered operation by `name` or `name@version`; null where there is none. */
export async function findRegistered(db: Database, reference: string): Promise<RegisteredOperation | null> {
  const [, name, version] = REFERENCE.exec(reference) ?? [];
  if (name === undefined) return null;
  return db.row<RegisteredOperation>(sql`
    select ${columnsOf('RegisteredOperation')} from registered_operation r
    where r.name = ${name} and r.version = coalesce(${version ?? null}::integer, r.version)
    order by r.version desc limit 1`);
}

/** The latest version of each registered operation, by name. */
export function listRegistered(db: Database): Promise<RegisteredOperation[]> {
  return db.rows<RegisteredOperation>(sql`
    select distinct on (r.name) ${columnsOf('RegisteredOperation')} from registered_operation r
    order by r.name, r.version desc`);
}
