/** Reasons for a refund. */
export const REASON_CODES = {
  duplicate: 'It was paid twice.',
  overpaid: 'More was paid than is owed.',
  not_delivered: 'The agency did not deliver the service.',
  wrong_service: 'It was paid for another service than the one needed.',
  late_collection: 'The money arrived after the assessment was cancelled or the payment intent had expired.',
  court_order: 'A court or tribunal ordered it.',
  other: 'Another reason, which `note` gives.',
} as const;

export type ReasonCode = keyof typeof REASON_CODES;
