import type { Operated } from '../../../platform/audit/operation.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import type { ServiceStatus } from '../../../generated/prisma/enums.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { foldForSearch } from '../../../kernel/text/matching.ts';
import { formatDay } from '../../../kernel/time.ts';
import { requireRevision } from '../agencies/find.ts';
import { getService } from '../find.ts';
import { changesOf } from '../loading/changes.ts';
import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { isLargeChange } from './preview.ts';
import { recordFee, requireComingDay, requireFee, withdrawComingFee } from './fee.ts';

export interface ServiceChanges {
  readonly id: string;
  readonly revision?: number | null | undefined;
  readonly serviceName?: string | null | undefined;
  readonly sector?: string | null | undefined;
  readonly family?: string | null | undefined;
  readonly status?: ServiceStatus | null | undefined;
  readonly feeAmount?: Decimal | null | undefined;
  /** The day from which the fee holds; from now on where nothing is said. */
  readonly effectiveFrom?: Date | null | undefined;
  readonly withdrawNextFee?: boolean | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Changes a service; what is left out stays. A fee may be set for a coming day, in place of what was set for one before:
 * Drafts are assessed at it from then on, and what was assessed before stays as it is.
 */
export function amendService(call: Call, input: ServiceChanges): Promise<Service> {
  const reason = readText('reason', input.reason, LONGEST_REASON);
  const { effectiveFrom, withdrawNextFee, feeAmount } = input;
  if (effectiveFrom != null && feeAmount == null) throw refuseValue('effectiveFrom', 'is the day of a feeAmount');
  if (withdrawNextFee === true && effectiveFrom != null)
    throw refuseValue('withdrawNextFee', 'cannot be combined with effectiveFrom, which replaces the coming fee');
  return retryUntilSettled(async () => {
    const before = await getService(call, input.id);
    requireRevision(input.revision, before);
    if (feeAmount != null) requireFee(feeAmount, before.currency);
    const at = call.now();
    const since = effectiveFrom == null ? at : await requireComingDay(call, before.mda, effectiveFrom);
    const after = { ...before, ...changedTexts(before, input), ...feesOf(before, input, since, at) };
    const operated = describe(before, after, effectiveFrom ?? null);
    if (!operated) return before;
    const { name, serviceName, sector, family, status, nextFeeAmount, nextFeeFrom } = after;
    const changed = guard`
      update service set service_name = ${serviceName}, sector = ${sector}, family = ${family},
        status = ${status}::service_status, search_text = ${foldForSearch(serviceName, after.code)},
        fee_amount = ${after.feeAmount}, next_fee_amount = ${nextFeeAmount}, next_fee_from = ${nextFeeFrom},
        revision = revision + 1, updated_at = ${at}
      where name = ${name} and revision = ${before.revision} returning name`;
    const isSet = effectiveFrom == null ? !after.feeAmount.equals(before.feeAmount) : true;
    const fee = { service: name, amount: feeAmount!, currency: before.currency, since };
    const replaced = before.nextFeeFrom !== null && nextFeeFrom?.getTime() !== before.nextFeeFrom.getTime();
    const changedAmount = before.nextFeeAmount !== null && !before.nextFeeAmount.equals(nextFeeAmount ?? -1);
    const steps = [
      ...(replaced || changedAmount ? [withdrawComingFee(call, changed, name)] : []),
      ...(feeAmount != null && isSet
        ? [
            recordFee(call, changed, fee),
            ...(await raiseAnomalies(call, changed, findLargeChange(before, feeAmount, since))),
          ]
        : []),
    ];
    const change = { subject: name, guard: changed, steps, operated: { ...operated, reason } };
    return (await commit(call, change)) ? getService(call, name) : undefined;
  });
}

/** What is flagged of a fee that differs by much from the one that is charged. */
function findLargeChange({ name, mda, feeAmount, revision, currency }: Service, to: Decimal, since: Date): Finding[] {
  if (!isLargeChange(feeAmount, to)) return [];
  const evidence = { service: name, from: feeAmount, to, currency, effective_at: since.toISOString() };
  return [{ kind: 'fee_changed', subject: `${name}:${revision + 1}`, mdas: [mda], evidence }];
}

function changedTexts(before: Service, input: ServiceChanges) {
  return {
    serviceName:
      input.serviceName == null ? before.serviceName : requireText('serviceName', input.serviceName, LONGEST_NAME),
    sector: input.sector == null ? before.sector : requireText('sector', input.sector, LONGEST_LABEL),
    family: input.family == null ? before.family : requireText('family', input.family, LONGEST_LABEL),
    status: input.status ?? before.status,
  };
}

/** The fee that holds, and the one that is to come. */
function feesOf(before: Service, { feeAmount, withdrawNextFee }: ServiceChanges, since: Date, at: Date) {
  const coming = withdrawNextFee === true ? null : before.nextFeeAmount;
  const kept = { nextFeeAmount: coming, nextFeeFrom: coming === null ? null : before.nextFeeFrom };
  if (feeAmount == null) return kept;
  return since > at ? { nextFeeAmount: feeAmount, nextFeeFrom: since } : { feeAmount, ...kept };
}

/** What changed, for the audit: a fee for a coming day with the day. */
function describe(before: Service, after: Service, effectiveFrom: Date | null): Operated | null {
  const [operated] = changesOf('service', [auditable(before)], [auditable(after)]);
  if (!operated || effectiveFrom === null) return operated ?? null;
  return { ...operated, after: { ...operated.after, effective_from: formatDay(effectiveFrom) } };
}

function auditable(service: Service) {
  const { name, serviceName, sector, family, status, feeAmount, nextFeeAmount, nextFeeFrom } = service;
  return {
    name,
    service_name: serviceName,
    sector,
    family,
    status,
    fee_amount: feeAmount,
    next_fee_amount: nextFeeAmount,
    next_fee_from: nextFeeFrom && nextFeeFrom.toISOString(),
  };
}
