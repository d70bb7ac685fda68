import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { DISABLED_REASONS, type DisabledReason } from '../integrators/endpoint/webhook-endpoint.ts';
import { refuseBecause } from '../../kernel/refusal.ts';

/** Refuses where nothing would be sent to an integrator's endpoint: there is none, or it was switched off. */
export async function requireEndpoint({ db }: Pick<Call, 'db'>, integrator: string): Promise<void> {
  const row = await db.row<{ endpoint: string | null; reason: DisabledReason | null }>(
    sql`select webhook_endpoint as endpoint, webhook_disabled_reason as reason from integrator where code = ${integrator}`,
  );
  const { endpoint, reason } = row!;
  if (endpoint === null)
    throw refuseBecause(
      'no_webhook_endpoint',
      'The account has no webhookEndpoint; set one with `updateMe`',
      'webhookEndpoint',
    );
  if (reason !== null) {
    const why = `The webhook endpoint was disabled because ${DISABLED_REASONS[reason]}; save it again with \`updateMe\` to enable it`;
    throw refuseBecause('webhook_disabled', why, 'webhookEndpoint');
  }
}
