import { STANDARD_SCOPES } from '../../platform/access/viewer.ts';
import type { Rail } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { emailAddress, properName } from '../../kernel/text.ts';
import { newIntegratorCode } from './code.ts';

/** The code of a new account, and the step that opens it, unless its address belongs to another. */
export interface NewAccount {
  readonly code: string;
  readonly opened: Step;
}

/** An account that is Active at once: an operator vouches for its address, and whoever reads its mail may sign in. */
export function draftAccount({ config, now }: Rail, { organisation, email }: { organisation: string; email: string }): NewAccount {
  const name = properName('organisation', organisation);
  const address = emailAddress('email', email);
  const code = newIntegratorCode(name);
  const at = now();
  const opened = step('opened')`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified, scopes, created_at, updated_at)
    values (${code}, ${name}, ${address}, ${name}, ${config.mode}::integrator_tier, 'free', 'Active', true, ${[...STANDARD_SCOPES]}, ${at}, ${at})
    on conflict (contact_email) where status <> 'PendingEmail' do nothing returning code`;
  return { code, opened };
}
