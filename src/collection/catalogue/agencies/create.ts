import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { isAnyDocname } from '../../../platform/database/docnames.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Agency } from '../../../generated/prisma/client.ts';
import type { InteractionMode } from '../../../generated/prisma/enums.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { getAgency } from '../find.ts';
import { say } from '../../../kernel/text/said.ts';

export interface AgencyInput {
  readonly code: string;
  readonly name: string;
  readonly interactionMode: InteractionMode;
  readonly country: string;
  readonly type: string;
  readonly region?: string | null | undefined;
  readonly district?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Adds an agency to a country whose profile was loaded. It is in Sandbox: it collects once it has an account, which takes
 * two operators, and is set Active.
 */
export async function createAgency(call: Call, input: AgencyInput): Promise<Agency> {
  const { code, interactionMode } = input;
  if (isAnyDocname(code)) throw refuseValue('code', say`looks like the name of a document`);
  const mdaName = requireText('name', input.name, LONGEST_NAME);
  const mdaType = requireText('type', input.type, LONGEST_LABEL);
  const region = readText('region', input.region, LONGEST_LABEL);
  const district = readText('district', input.district, LONGEST_LABEL);
  const reason = readText('reason', input.reason, LONGEST_REASON);
  const country = input.country.toUpperCase();
  if (!(await call.db.row(sql`select 1 from country where code = ${country}`)))
    throw refuseValue('country', say`has no profile: load one first`);
  const at = call.now();
  const changed = guard`
    insert into mda (name, mda_name, interaction_mode, country, mda_type, status, region, district, created_at, updated_at)
    values (${code}, ${mdaName}, ${interactionMode}::interaction_mode, ${country}, ${mdaType}, 'Sandbox', ${region},
      ${district}, ${at}, ${at})
    -- A code that is taken is refused.
    on conflict (name) do nothing returning name`;
  const places = { region, district, status: 'Sandbox' };
  const after = { mda_name: mdaName, interaction_mode: interactionMode, country, mda_type: mdaType, ...places };
  const operated = { action: 'agency.create', subject: code, before: null, after, reason };
  if (!(await commit(call, { subject: code, guard: changed, operated })))
    throw refuseBecause('code_taken', `There is an agency ${code} already`, 'code');
  return getAgency(call, code);
}
