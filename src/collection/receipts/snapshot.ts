import { addressOf } from './signature.ts';
import { type Receipt, contentsOf } from './find.ts';
import { type ReceiptContents, totalOf } from './payload.ts';

/** Content of a receipt for integrators. */
function snapshotContents(contents: ReceiptContents) {
  const { kind, paidAt, channel, currency, payerInitials, agencies, otherAgencies, services, otherServices } = contents;
  return {
    kind,
    amount: totalOf(contents).toNumber(),
    currency,
    channel,
    paid_at: paidAt,
    payer_initials: payerInitials,
    agencies: agencies.map(({ mda, amount, event }) => ({ mda, amount: amount.toNumber(), event })),
    other_agencies: otherAgencies?.count ?? 0,
    other_amount: otherAgencies?.amount.toNumber() ?? null,
    services,
    other_services: otherServices,
  };
}

/** A receipt as integrators get it. */
export function snapshotReceipt(receipt: Receipt, origin: string) {
  const { name, assessment, intent, status, payload, signature, kid, code, proof, copies } = receipt;
  return {
    name,
    assessment,
    intent,
    status,
    contents: snapshotContents(contentsOf(receipt)),
    payload,
    signature,
    kid,
    code,
    url: addressOf(origin, receipt),
    proof,
    copies,
    voided_at: receipt.voidedAt,
    replaced_by: receipt.replacedBy,
    created_at: receipt.createdAt,
    updated_at: receipt.updatedAt,
  };
}
