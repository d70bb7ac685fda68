import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { DISABLED_REASONS, type DisabledReason } from './address.ts';
import { refuseBecause } from '../../kernel/refusal.ts';

/** The endpoints of an account. */
export const endpointsOfAccount = (integrator: string): Sql => sql`integrator = ${integrator}`;

/** The one that an account has in its profile. */
export const defaultOf = (integrator: string): Sql => sql`integrator = ${integrator} and is_default`;

/** Refuses where nothing would be sent to any of some endpoints: there is none, or they were switched off. */
export async function requireEndpoint({ db }: Pick<Call, 'db'>, which: Sql): Promise<void> {
  const row = await db.row<{ reason: DisabledReason | null }>(sql`
    select disabled_reason as reason from webhook_endpoint where ${which} and url is not null
    order by disabled_at is not null limit 1`);
  if (row === null)
    throw refuseBecause(
      'no_webhook_endpoint',
      'The account has no webhookEndpoint; set one with `updateMe`',
      'webhookEndpoint',
    );
  const { reason } = row;
  if (reason !== null) {
    const why = `The webhook endpoint was disabled because ${DISABLED_REASONS[reason]}; save it again with \`updateMe\` to enable it`;
    throw refuseBecause('webhook_disabled', why, 'webhookEndpoint');
  }
}
