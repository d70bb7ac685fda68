import { runOnConnection } from '../../../src/platform/database/connection/connection.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';

/** Makes a new database one that processes of the version before use too: what its contract dropped is there, and filled. */
export async function undoContract(url: string): Promise<void> {
  await runOnConnection(url, { name: 'test', work: 'migration' }, async (client) => {
    await client.query(`
      alter table integrator add column webhook_endpoint text, add column webhook_secret bytea,
        add column webhook_secret_at timestamptz(3), add column webhook_previous_secret bytea,
        add column webhook_previous_until timestamptz(3), add column webhook_failing_since timestamptz(3),
        add column webhook_disabled_at timestamptz(3),
        add column webhook_disabled_reason text check (webhook_disabled_reason in ('answered_gone', 'kept_failing')),
        add column webhook_prompt boolean not null default false,
        add constraint webhook_disabled_for_a_reason check ((webhook_disabled_at is null) = (webhook_disabled_reason is null));
      update integrator i set webhook_endpoint = e.url, webhook_secret = e.secret, webhook_secret_at = e.secret_at,
        webhook_previous_secret = e.previous_secret, webhook_previous_until = e.previous_until,
        webhook_failing_since = e.failing_since, webhook_disabled_at = e.disabled_at,
        webhook_disabled_reason = e.disabled_reason, webhook_prompt = e.prompt
      from webhook_endpoint e where e.integrator = i.code and e.is_default;
      delete from _prisma_migrations where migration_name = '0018_contract_account_webhooks'`);
  });
  await migrate(url);
}
