import { OF_ACCOUNTS, whereWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { FirstSecret } from './webhook-secret.ts';
import { type WebhookState, webhookStatus } from './webhook-endpoint.ts';

/**
 * The account under which operators get messages that belong to no integrator, such as those of counters. It is an
 * account like any other to the code that sends messages; nobody signs in to it, or gets mail, since it has no address.
 */
export const DEFAULT_ENDPOINT = 'COUNTERS-OFFICE';

/** Where operators get messages that belong to no integrator. */
export type DefaultEndpoint = Pick<
  Stored<'Integrator'>,
  'code' | 'webhookEndpoint' | 'webhookDisabledAt' | 'createdAt' | 'updatedAt'
> &
  WebhookState;

/** The default endpoint; null where none was ever set, or where the caller is bound to agencies. */
export function findDefaultEndpoint({ db, viewer }: Call): Promise<DefaultEndpoint | null> {
  return db.row<DefaultEndpoint>(sql`
    select ${columnsOf('Integrator')}, ${webhookStatus} from integrator r
    where r.code = ${DEFAULT_ENDPOINT} and ${whereWithin(viewer, OF_ACCOUNTS)}`);
}

/** The step that enters the account of operators, where there is none yet. */
export function enterOperatorsAccount({ now, config: { mode } }: Call): Step {
  const at = now();
  return step('entered')`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified,
      scopes, created_at, updated_at)
    values (${DEFAULT_ENDPOINT}, 'What was made at counters', 'no address', 'Operators of the rail',
      ${mode}::integrator_tier, 'free'::pricing_tier, 'Active'::integrator_status, true, '{}'::text[], ${at}, ${at})
    on conflict (code) do nothing`;
}

/** The guard of a change that sets the endpoint, or takes it away; the first one enters the account and its secret. */
export function setDefaultEndpoint(
  { now, config: { mode }, viewer }: Call,
  url: string | null,
  first: FirstSecret,
): Step {
  const at = now();
  return guard`
    insert into integrator as i (code, display_name, contact_email, organisation, tier, pricing_tier, status,
      email_verified, webhook_endpoint, webhook_secret, webhook_secret_at, scopes, created_at, updated_at)
    select ${DEFAULT_ENDPOINT}, 'What was made at counters', 'no address', 'Operators of the rail',
      ${mode}::integrator_tier, 'free'::pricing_tier, 'Active'::integrator_status, true, ${url}, ${first.sealed}, ${at}, '{}'::text[], ${at}, ${at}
    where ${whereWithin(viewer, OF_ACCOUNTS)}
    on conflict (code) do update set webhook_endpoint = excluded.webhook_endpoint, webhook_disabled_at = null,
      webhook_disabled_reason = null, webhook_failing_since = null, webhook_prompt = false, updated_at = ${at}
    returning code`;
}
