import type { Tracked } from '../../platform/change/transition.ts';
import { formatDay } from '../../kernel/time.ts';
import type { Assessment } from './find.ts';
import { snapshotLabels } from './labels.ts';

/** An assessment as integrators get it: the shape of `GET /v1/assessments/{name}`, except what waits. */
export function snapshotAssessment(assessment: Assessment) {
  const {
    name,
    citizen,
    status,
    currency,
    totalAmount,
    shift,
    cancelReason,
    assessedAt,
    paidAt,
    cancelledAt,
    createdAt,
    updatedAt,
    lines,
    dueOn,
    replaces,
  } = assessment;
  return {
    name,
    citizen,
    status,
    currency,
    total_amount: totalAmount.toNumber(),
    lines: lines.map((line) => ({
      idx: line.idx,
      service: line.service,
      service_name: line.serviceName,
      mda: line.mda,
      quantity: line.quantity,
      rate: line.rate.toNumber(),
      amount: line.amount.toNumber(),
      ...(line.category !== null && { category: line.category }),
      ...(line.baseAmount && { base_amount: line.baseAmount.toNumber() }),
      ...(line.statedAmount && { stated_amount: line.statedAmount.toNumber() }),
      ...(line.period !== null && { period: line.period }),
      ...(!line.waived.isZero() && { waived: line.waived.toNumber(), exemption: line.exemption }),
    })),
    ...(dueOn && { due_on: formatDay(dueOn) }),
    ...(replaces !== null && { replaces }),
    shift,
    cancel_reason: cancelReason,
    assessed_at: assessedAt,
    paid_at: paidAt,
    cancelled_at: cancelledAt,
    created_at: createdAt,
    updated_at: updatedAt,
    ...snapshotLabels(assessment),
  };
}

/** An assessment with its place in the timeline, for a change of its state. */
export function trackAssessment(assessment: Assessment): Tracked {
  const { name, integrator, sourceMda: agency, revision } = assessment;
  return {
    kind: 'assessment.update',
    name,
    assessment: name,
    integrator,
    agency,
    revision,
    snapshot: () => snapshotAssessment(assessment),
  };
}
