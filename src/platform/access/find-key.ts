import DataLoader from 'dataloader';
import type { IntegratorStatus, KeyStatus } from '../../generated/prisma/enums.ts';
import { type Database, sql } from '../database/sql.ts';
import { type Account, accountColumns } from './account.ts';
import type { BrowserTerms, Grants } from './grants.ts';
import { hashKey } from './key-format.ts';

/** A key as far as it says who calls, and whether it holds. */
export interface KeyRow extends Grants, BrowserTerms, Account {
  readonly name: string;
  readonly lineage: string;
  readonly integrator: string;
  readonly scopes: string[];
  readonly prefix: string;
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly issuedBy: string | null;
  readonly integratorStatus: IntegratorStatus;
}

type KeyLoader = DataLoader<string, KeyRow | null>;

const loaders = new WeakMap<Database, KeyLoader>();

/**
 * Finds the key of a text; null where there is none. Those of requests that arrived in the same turn of the event loop
 * are read by one statement, which is sent after all of them arrived. Nothing is kept for later ones.
 */
export function findKey(db: Database, token: string): Promise<KeyRow | null> {
  let loader = loaders.get(db);
  if (!loader) {
    loader = new DataLoader((hashes) => readKeys(db, hashes), {
      cache: false,
      // Once what has arrived on all sockets was taken in.
      batchScheduleFn: (read) => void setImmediate(read),
    });
    loaders.set(db, loader);
  }
  return loader.load(hashKey(token).toString('hex'));
}

async function readKeys(db: Database, hashes: readonly string[]): Promise<(KeyRow | null)[]> {
  const asked = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
  const rows = await db.rows<KeyRow & { hash: string }>(sql`
    select encode(k.hash, 'hex') as hash, k.name, k.lineage, k.integrator, k.scopes, k.prefix, k.status,
      k.expires_at as "expiresAt", k.issued_by as "issuedBy", k.supervises, k.counters,
      k.manages_account as "managesAccount", k.origins, k.operations, k.agencies, i.status as "integratorStatus",
      ${accountColumns}
    from api_key k join integrator i on i.code = k.integrator where k.hash = any(${asked}::bytea[])`);
  const found = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash) ?? null);
}
