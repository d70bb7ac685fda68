import type { FiscalDocument } from '../../generated/prisma/client.ts';

/** A fiscal document as integrators get it. */
export function snapshotFiscalDocument(document: FiscalDocument) {
  const { name, issuer, number, assessment, paymentEvent, mda, url, issuedAt, createdAt } = document;
  return {
    name,
    issuer,
    number,
    assessment,
    payment_event: paymentEvent,
    mda,
    url,
    issued_at: issuedAt,
    created_at: createdAt,
  };
}
