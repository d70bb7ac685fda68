import type { Operated } from '../../../platform/change/operation.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Change } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { empty, json, sql } from '../../../platform/database/sql.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import type { ServiceStatus } from '../../../generated/prisma/enums.ts';
import { refuseOtherCurrency } from '../../../kernel/money.ts';
import { LONGEST_LABEL, LONGEST_NAME, requireText } from '../../../kernel/text/free-text.ts';
import { formatDay } from '../../../kernel/time.ts';
import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { reportAlone } from '../../approvals/alone.ts';
import { namesOf, searchTextOf } from '../names.ts';
import { changesOf } from '../loading/changes.ts';
import { isSameTariff } from '../tariff/tariff.ts';
import {
  type AskedCharge,
  type Charge,
  isLargeChange,
  readCharge,
  recordFee,
  refuseFeeBeside,
  requireComingDay,
  withdrawComingFee,
} from './fee.ts';

export interface ServiceChanges extends AskedCharge {
  readonly id: string;
  readonly revision?: number | null | undefined;
  readonly serviceName?: string | null | undefined;
  readonly sector?: string | null | undefined;
  readonly family?: string | null | undefined;
  readonly status?: ServiceStatus | null | undefined;
  /** The currency that the caller expects. */
  readonly currency?: string | null | undefined;
  /** The day from which the charge holds; from now on where nothing is said. */
  readonly effectiveFrom?: Date | null | undefined;
  readonly withdrawNextFee?: boolean | null | undefined;
  readonly reason?: string | null | undefined;
}

/** The change of a service, while what a step holds is held where one is given; null where it changes nothing. */
export async function planChange(
  call: Call,
  before: Service,
  input: ServiceChanges,
  held?: Step,
): Promise<Change | null> {
  const { effectiveFrom, reason = null } = input;
  refuseOtherCurrency(input.currency, before.currency);
  const charge = readCharge(input, before.currency);
  refuseFeeBeside(before, charge);
  const at = call.now();
  const since = effectiveFrom == null ? at : await requireComingDay(call, before.mda, effectiveFrom);
  const after = { ...before, ...changedTexts(before, input), ...feesOf(before, input, charge, since, at) };
  const operated = describe(before, after, effectiveFrom ?? null);
  if (!operated) return null;
  const names = namesOf(after);
  const { name, serviceName, sector, family, status, feeInForce, tariff, nextFeeAmount, nextTariff, nextFeeFrom } =
    after;
  const changed = guard`
    update service s set service_name = ${serviceName}, names = ${json(names)}::jsonb, sector = ${sector}, family = ${family},
      status = ${status}::service_status, search_text = ${searchTextOf(serviceName, after.code, names)},
      fee_amount = ${after.feeAmount}, fee_in_force = ${feeInForce}, next_fee_amount = ${nextFeeAmount}, next_fee_from = ${nextFeeFrom},
      tariff = ${tariff && json(tariff)}::jsonb, next_tariff = ${nextTariff && json(nextTariff)}::jsonb,
      revision = s.revision + 1, updated_at = ${at}
    ${held ? sql`from ${held}` : empty}
    where s.name = ${name} and s.revision = ${before.revision} returning s.name`;
  const isOther = !after.feeAmount.equals(before.feeAmount) || !isSameTariff(tariff, before.tariff);
  const set = charge && (effectiveFrom != null || isOther || !before.feeInForce) ? charge : null;
  const replaced = before.nextFeeFrom !== null && nextFeeFrom?.getTime() !== before.nextFeeFrom.getTime();
  const changedAmount =
    before.nextFeeAmount !== null &&
    !(before.nextFeeAmount.equals(nextFeeAmount ?? -1) && isSameTariff(before.nextTariff, nextTariff));
  const charges = replaced || changedAmount || set;
  const steps = [
    ...(charges && !held ? await reportAlone(call, changed, { ...operated, reason }, [before.mda]) : []),
    ...(replaced || changedAmount ? [withdrawComingFee(call, changed, name)] : []),
    ...(set
      ? [
          recordFee(call, changed, { ...set, service: name, currency: before.currency, since }),
          ...(await raiseAnomalies(call, changed, findLargeChange(before, set, since))),
        ]
      : []),
  ];
  return { subject: name, guard: changed, steps, operated: { ...operated, reason } };
}

/** Finding for a fee that differs by much from the one that is charged, as every tariff may. */
function findLargeChange(
  { name, mda, feeAmount, revision, currency }: Service,
  { feeAmount: to, tariff }: Charge,
  since: Date,
): Finding[] {
  if (!tariff && !isLargeChange(feeAmount, to)) return [];
  const evidence = { service: name, from: feeAmount, to, currency, effective_at: since.toISOString() };
  return [{ kind: 'fee_changed', subject: `${name}:${revision + 1}`, mdas: [mda], evidence }];
}

function changedTexts(before: Service, input: ServiceChanges) {
  const serviceName =
    input.serviceName == null ? before.serviceName : requireText('serviceName', input.serviceName, LONGEST_NAME);
  return {
    serviceName,
    // The translated names belong to the former name.
    names: serviceName === before.serviceName ? before.names : {},
    sector: input.sector == null ? before.sector : requireText('sector', input.sector, LONGEST_LABEL),
    family: input.family == null ? before.family : requireText('family', input.family, LONGEST_LABEL),
    status: input.status ?? before.status,
  };
}

/** The fee that holds, and the one that is to come. */
function feesOf(
  { nextFeeAmount, nextTariff, nextFeeFrom }: Service,
  { withdrawNextFee }: ServiceChanges,
  charge: Charge | null,
  since: Date,
  at: Date,
) {
  const kept =
    withdrawNextFee === true
      ? { nextFeeAmount: null, nextTariff: null, nextFeeFrom: null }
      : { nextFeeAmount, nextTariff, nextFeeFrom };
  if (!charge) return kept;
  const { feeAmount, tariff } = charge;
  if (since > at) return { nextFeeAmount: feeAmount, nextTariff: tariff, nextFeeFrom: since };
  return { feeAmount, tariff, feeInForce: true, ...kept };
}

/** Changes for the audit: a fee for a coming day with the day. */
function describe(before: Service, after: Service, effectiveFrom: Date | null): Operated | null {
  const [operated] = changesOf('service', [auditable(before)], [auditable(after)]);
  if (!operated || effectiveFrom === null) return operated ?? null;
  return { ...operated, after: { ...operated.after, effective_from: formatDay(effectiveFrom) } };
}

function auditable(service: Service) {
  const { name, serviceName, names, sector, family, status, feeAmount, feeInForce, nextFeeAmount, nextFeeFrom } =
    service;
  const { tariff, nextTariff } = service;
  return {
    name,
    service_name: serviceName,
    names,
    sector,
    family,
    status,
    fee_amount: feeAmount,
    tariff,
    fee_in_force: feeInForce,
    next_tariff: nextTariff,
    next_fee_amount: nextFeeAmount,
    next_fee_from: nextFeeFrom && nextFeeFrom.toISOString(),
  };
}
