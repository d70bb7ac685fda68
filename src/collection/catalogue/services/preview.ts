import type { Call } from '../../../platform/call/call.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { getService } from '../find.ts';
import { feeTakesApproval } from './fee-approval.ts';
import { type AskedCharge, type Charge, readCharge, refuseFeeBeside, requireComingDay } from './fee.ts';

/** Effects of a change of a fee. */
export interface FeeChange extends Charge {
  readonly service: Service;
  /** Ratio to the fee that is charged today; null if that is nothing. */
  readonly ratio: number | null;
  readonly effectiveAt: Date;
  readonly takesApproval: boolean;
}

/** Says what setting a fee would change, and refuses it for the reasons for which setting it would be refused. */
export async function previewFee(
  call: Call,
  input: AskedCharge & { readonly id: string; readonly effectiveFrom?: Date | null | undefined },
): Promise<FeeChange> {
  const service = await getService(call, input.id);
  const charge = readCharge(input, service.currency);
  if (!charge) throw refuseValue('feeAmount', say`is required, unless there is a tariff`);
  refuseFeeBeside(service, charge);
  const effectiveAt =
    input.effectiveFrom == null ? call.now() : await requireComingDay(call, service.mda, input.effectiveFrom);
  const charged = service.feeInForce && !service.feeAmount.isZero() && !charge.tariff;
  const ratio = charged ? charge.feeAmount.dividedBy(service.feeAmount).toNumber() : null;
  const takesApproval = feeTakesApproval(call, service, { ...charge, effectiveFrom: input.effectiveFrom });
  return { ...charge, service, ratio, effectiveAt, takesApproval };
}
