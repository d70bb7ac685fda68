import type { Grants } from '../../platform/access/grants.ts';
import { visibleTo } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type PageArgs, newestFirst, readPage } from '../../platform/change/page.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { KeyStatus } from './lifecycle.ts';

/** A key as its owner sees it; its plaintext is nowhere. */
export interface ApiKey extends Grants {
  readonly name: string;
  readonly integrator: string;
  readonly label: string;
  readonly prefix: string;
  readonly last4: string;
  /** As stored; `statusAt` tells the state of a moment. */
  readonly status: KeyStatus;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
  readonly replaces: string | null;
  /** The first key of the rotations that led to it; itself where there were none. */
  readonly lineage: string;
  readonly issuedBy: string | null;
}

export const keyColumns = sql`r.name, r.integrator, r.label, r.prefix, r.last4, r.status, r.scopes, r.supervises, r.counters, r.manages_account as "managesAccount", r.created_at as "createdAt", r.updated_at as "updatedAt", r.last_used_at as "lastUsedAt",
  r.expires_at as "expiresAt", r.revoked_at as "revokedAt", r.revoked_reason as "revokedReason", r.replaces, r.lineage, r.issued_by as "issuedBy"`;

/** The keys of the caller's integrator, newest first. */
export function listKeys(call: Call, page: PageArgs): Promise<ApiKey[]> {
  return readPage<ApiKey>(
    call,
    {
      select: sql`select ${keyColumns} from api_key r`,
      table: 'api_key',
      ...newestFirst,
      where: [sql`r.integrator = ${call.viewer.integrator}`],
    },
    page,
  );
}

/** A key that the caller may see: of its own integrator, or any for staff. Another's is answered exactly like one that does not exist. */
export async function getKey({ db, viewer }: Call, name: string): Promise<ApiKey> {
  const key = await db.row<ApiKey>(sql`select ${keyColumns} from api_key r where r.name = ${name} and ${visibleTo(viewer)}`);
  if (!key) throw new Refusal('not_found', 'There is no such key');
  return key;
}
