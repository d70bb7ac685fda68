import type { Call } from '../../../platform/call/call.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { getService } from '../find.ts';
import { feeTakesApproval } from './fee-approval.ts';
import { requireComingDay, requireFee } from './fee.ts';

/** Effects of a change of a fee. */
export interface FeeChange {
  readonly service: Service;
  readonly feeAmount: Decimal;
  /** Ratio to the fee that is charged today; null if that is nothing. */
  readonly ratio: number | null;
  readonly effectiveAt: Date;
  readonly takesApproval: boolean;
}

/** Says what setting a fee would change, and refuses it for the reasons for which setting it would be refused. */
export async function previewFee(
  call: Call,
  input: { readonly id: string; readonly feeAmount: Decimal; readonly effectiveFrom?: Date | null | undefined },
): Promise<FeeChange> {
  const service = await getService(call, input.id);
  const feeAmount = requireFee(input.feeAmount, service.currency);
  const effectiveAt =
    input.effectiveFrom == null ? call.now() : await requireComingDay(call, service.mda, input.effectiveFrom);
  const charged = service.feeInForce && !service.feeAmount.isZero();
  const ratio = charged ? feeAmount.dividedBy(service.feeAmount).toNumber() : null;
  return { service, feeAmount, ratio, effectiveAt, takesApproval: feeTakesApproval(call, service, input) };
}
