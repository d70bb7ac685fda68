import { OF_ACCOUNTS, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameDefault, setDefault } from './default.ts';
import { DEFAULT_ENDPOINT } from '../events/owner.ts';
import type { FirstSecret } from './secret.ts';
import { type WebhookState, webhookState, withDefaultEndpoint } from './address.ts';

/** Endpoint of operators for messages that belong to no integrator. */
export type DefaultEndpoint = Pick<Stored<'Integrator'>, 'code' | 'createdAt' | 'updatedAt'> &
  WebhookState & {
    /** Its docname; null where none was ever set, as the others. */
    readonly endpoint: string | null;
    readonly types: readonly string[] | null;
    readonly agencies: readonly string[] | null;
    readonly label: string | null;
  };

/** The default endpoint; null where none was ever set, or where the caller is bound to agencies. */
export function findDefaultEndpoint({ db, viewer }: Call): Promise<DefaultEndpoint | null> {
  return db.row<DefaultEndpoint>(sql`
    select ${columnsOf('Integrator')}, ${webhookState}, e.name as endpoint, e.types, e.agencies, e.label from integrator r ${withDefaultEndpoint}
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
    -- Operators have one account.
    on conflict (code) do nothing`;
}

/**
 * The change that sets the endpoint, or takes it away; the first one enters the account and its secret. An address that
 * waits to be approved is not set.
 */
export async function setDefaultEndpoint(
  call: Call,
  url: string | null,
  first: FirstSecret,
  waits: boolean,
): Promise<{ name: string; guard: Step; steps: Step[] }> {
  const at = call.now();
  const changed = guard`
    insert into integrator as i (code, display_name, contact_email, organisation, tier, pricing_tier, status,
      email_verified, scopes, created_at, updated_at)
    select ${DEFAULT_ENDPOINT}, 'What was made at counters', 'no address', 'Operators of the rail',
      ${call.config.mode}::integrator_tier, 'free'::pricing_tier, 'Active'::integrator_status, true, '{}'::text[], ${at}, ${at}
    where ${whereWithin(call.viewer, OF_ACCOUNTS)}
    on conflict (code) do update set updated_at = ${at}
    returning code`;
  const name = await nameDefault(call, DEFAULT_ENDPOINT);
  return { name, guard: changed, steps: [setDefault(changed, { name, at, url, first: first.sealed, waits })] };
}
