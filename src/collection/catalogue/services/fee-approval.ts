import type { Call } from '../../../platform/call/call.ts';
import type { Step } from '../../../platform/change/step.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import { Decimal } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { formatDay } from '../../../kernel/time.ts';
import { z } from '../../../kernel/zod.ts';
import { type Asked, askWith, requestApproval } from '../../approvals/ask.ts';
import { defineApproval, takesApproval } from '../../approvals/kinds.ts';
import { getService } from '../find.ts';
import { tariffForm } from '../tariff/tariff.ts';
import { type ServiceChanges, planChange } from './change.ts';
import { type Charge, isLargeChange } from './fee.ts';
import { say } from '../../../kernel/text/said.ts';

const feeProposal = z.object({
  service_name: z.string(),
  currency: z.string(),
  /** Fee that is charged at the time of the request; 0 for a service without one in force. */
  former_fee_amount: z.string(),
  fee_amount: z.string(),
  /** What holds instead of the fee for each piece; left out where that does. */
  tariff: tariffForm.optional(),
  effective_from: z.string().nullable(),
});

/** Approval of a new fee. */
export const feeApproval = defineApproval({
  kind: 'fee',
  proposal: feeProposal,
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal, askedReason: reason }, held) => {
    const before = await getService(call, subject);
    const effectiveFrom = proposal.effective_from === null ? null : new Date(proposal.effective_from);
    const { tariff } = proposal;
    const charge = tariff ? { tariff } : { feeAmount: new Decimal(proposal.fee_amount) };
    const asked = { id: subject, ...charge, effectiveFrom, reason };
    const change = await planChange(call, before, asked, held);
    if (!change) throw refuseValue('feeAmount', say`is the fee that the service has`);
    return change;
  },
});

/**
 * Asks for a fee, of which one waits at a time; refused together with other changes, which nobody would see waiting.
 */
export async function askForFee(call: Call, before: Service, input: ServiceChanges, charge: Charge): Promise<void> {
  const { serviceName, sector, family, status, withdrawNextFee, effectiveFrom, reason } = input;
  if ([serviceName, sector, family, status, withdrawNextFee].some((value) => value != null))
    throw refuseBecause('fee_alone', 'This fee takes a second operator: ask for it without other changes', 'feeAmount');
  await requestApproval(call, feeApproval, askedOf(before, { ...charge, effectiveFrom, reason }));
}

/** The step that asks, with the insertion of a service, for the fee that it is to have. */
export function askForFirstFee(call: Call, inserted: Step, service: NewService): Promise<Step> {
  return askWith(call, feeApproval, inserted, askedOf({ ...service, feeInForce: false }, service));
}

type Priced = Pick<Service, 'name' | 'serviceName' | 'mda' | 'currency' | 'feeAmount' | 'feeInForce'>;
type NewService = Omit<Priced, 'feeInForce'> & Charge & { readonly reason: string | null };

function askedOf(
  before: Priced,
  { feeAmount, tariff, effectiveFrom, reason }: Pick<ServiceChanges, 'effectiveFrom' | 'reason'> & Charge,
): Asked<z.infer<typeof feeProposal>> {
  return {
    subject: before.name,
    about: [],
    mdas: [before.mda],
    proposal: {
      service_name: before.serviceName,
      currency: before.currency,
      former_fee_amount: before.feeInForce ? String(before.feeAmount) : '0',
      fee_amount: String(feeAmount),
      ...(tariff && { tariff }),
      effective_from: effectiveFrom ? formatDay(effectiveFrom) : null,
    },
    reason: reason ?? null,
  };
}

/**
 * True if a charge takes a second operator: on a live rail, a tariff, and a fee that differs by much, is to apply at once,
 * or is the first of a service.
 */
export function feeTakesApproval(
  call: Call,
  { feeAmount: charged, feeInForce }: Pick<Service, 'feeAmount' | 'feeInForce'>,
  { feeAmount, tariff, effectiveFrom }: Charge & Pick<ServiceChanges, 'effectiveFrom'>,
): boolean {
  if (!takesApproval(call)) return false;
  return tariff !== null || effectiveFrom == null || !feeInForce || isLargeChange(charged, feeAmount);
}
