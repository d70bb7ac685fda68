import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A passkey of a member of staff. */
export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly transports: readonly string[];
  readonly counter: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The passkeys of a member of staff, oldest first. */
export function findPasskeys({ db }: Pick<Call, 'db'>, staff: string): Promise<Passkey[]> {
  return db.rows<Passkey>(sql`
    select id, label, credential_id as "credentialId", public_key as "publicKey", transports, counter,
      created_at as "createdAt", last_used_at as "lastUsedAt"
    from staff_passkey where staff = ${staff} order by created_at, id`);
}
