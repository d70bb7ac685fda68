import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import type { ServiceStatus } from '../../../generated/prisma/enums.ts';
import { refuseOtherCurrency } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { foldForSearch } from '../../../kernel/text/matching.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { getService } from '../find.ts';
import { askForFirstFee } from './fee-approval.ts';
import { type AskedCharge, readCharge, recordFee } from './fee.ts';
import { say } from '../../../kernel/text/said.ts';

export interface ServiceInput extends AskedCharge {
  readonly agency: string;
  readonly code: string;
  readonly serviceName: string;
  readonly sector: string;
  readonly family: string;
  readonly currency?: string | null | undefined;
  readonly status?: ServiceStatus | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Adds a service to an agency, priced in the currency of its country from now on. On a live rail a fee is asked for, and
 * the service cannot be assessed until somebody else has approved it.
 */
export async function createService(call: Call, input: ServiceInput): Promise<Service> {
  const { agency: mda } = input;
  const code = requireText('code', input.code, LONGEST_LABEL);
  const serviceName = requireText('serviceName', input.serviceName, LONGEST_NAME);
  const sector = requireText('sector', input.sector, LONGEST_LABEL);
  const family = requireText('family', input.family, LONGEST_LABEL);
  const reason = readText('reason', input.reason, LONGEST_REASON);
  const status = input.status ?? 'Active';
  const offering = await call.db.row<{ currency: string | null }>(
    sql`select c.currency from mda m left join country c on c.code = m.country where m.name = ${mda}`,
  );
  if (!offering) throw refuseValue('agency', say`could not find this agency`);
  const { currency } = offering;
  if (currency === null) throw refuseValue('agency', say`is in a country without a currency: load its profile first`);
  refuseOtherCurrency(input.currency, currency);
  const charge = readCharge(input, currency);
  if (!charge) throw refuseValue('feeAmount', say`is required, unless there is a tariff`);
  const { feeAmount, tariff } = charge;
  const at = call.now();
  const name = await call.docnames.next('service', at);
  const waits = takesApproval(call) && (tariff !== null || feeAmount.greaterThan(0));
  const changed = guard`
    insert into service (name, service_name, code, mda, sector, family, status, fee_amount, tariff, fee_in_force,
      currency, search_text, created_at, updated_at)
    values (${name}, ${serviceName}, ${code}, ${mda}, ${sector}, ${family}, ${status}::service_status, ${feeAmount},
      ${tariff && json(tariff)}::jsonb, ${!waits}, ${currency}, ${foldForSearch(serviceName, code)}, ${at}, ${at})
    -- A code that is taken is refused.
    on conflict (code) do nothing returning name`;
  const step = waits
    ? await askForFirstFee(call, changed, { ...charge, name, serviceName, mda, currency, reason })
    : recordFee(call, changed, { ...charge, service: name, currency, since: at });
  const fee = { fee_amount: feeAmount, ...(tariff && { tariff }), fee_in_force: !waits, currency };
  const after = { service_name: serviceName, code, mda, sector, family, status, ...fee };
  const operated = { action: 'service.create', subject: name, before: null, after, reason };
  if (!(await commit(call, { subject: name, guard: changed, steps: [step], operated })))
    throw refuseBecause('code_taken', `There is a service with the code ${code} already`, 'code');
  return getService(call, name);
}
