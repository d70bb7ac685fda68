import type { Step } from '../../../platform/change/step.ts';

/** Decisions on a push. */
export const PUSH_DECISIONS = {
  receipt_recorded: "The agency's receipt is recorded, and the agency counts as notified.",
  already_recorded: 'The receipt or fiscal document was recorded already; nothing changed.',
  notice_rejected: 'The notification counts as rejected; an anomaly is open.',
  already_rejected: 'The notification was rejected already; nothing changed.',
  bill_flagged:
    'The lines of the assessment differ from what the agency says; an anomaly is open, and no amount changed.',
  bill_unchanged: 'The lines of the assessment are what the agency says; nothing changed.',
  assessment_closed: 'The assessment is Paid or Cancelled, and its lines stay; nothing changed.',
  identity_flagged: 'The record of the person differs; an anomaly is open, and nothing overwritten.',
  identity_unchanged: 'The record of the person is what the authority says; nothing changed.',
  fiscal_document_recorded: 'The fiscal document is recorded.',
  fiscal_number_taken: 'The number stands for another payment already; nothing changed.',
  unknown_object: 'The sender has no such object; nothing changed.',
} as const;

export type PushDecision = keyof typeof PUSH_DECISIONS;

/** A decision, and the docname of what it is about. */
export interface Decided {
  readonly decision: PushDecision;
  readonly object: string | null;
}

/** The step that stores a decision with the change that it stands for. */
export type StoreDecision = (changed: Step, decided: Decided) => Step;

/** The push names no object of its sender: it is not stored, since the object may be made yet. */
export const UNKNOWN: Decided = { decision: 'unknown_object', object: null };
