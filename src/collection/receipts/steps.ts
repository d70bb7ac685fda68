import type { Call } from '../../platform/call/call.ts';
import type { TraceEntry } from '../../platform/change/commit.ts';
import type { Message } from '../../platform/change/outbox.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { json } from '../../platform/database/sql.ts';
import { initialsOf } from '../../kernel/text/names.ts';
import { say } from '../../kernel/text/said.ts';
import type { Payer } from '../assessments/find.ts';
import { type Receipt, issuedReceiptsOf } from './find.ts';
import { findSigner, holdKey, signPayload } from './keys.ts';
import { type ReceiptContents, type ReceivedPart, writePayload } from './payload.ts';
import { codeOf, roomFor } from './signature.ts';
import { snapshotReceipt } from './snapshot.ts';

/**
 * Steps, trace and messages about receipts, written with a change.
 *
 * Triggers of the table that these steps change:
 *
 * - `receipt.signed`: only the status and the number of copies change.
 * - `receipt.kept`: a receipt is never deleted.
 * - `receipt.feed`: figures follow the status and the copies.
 */
export interface WrittenOfReceipts {
  readonly steps: readonly Step[];
  readonly trace: readonly TraceEntry[];
  readonly messages: readonly Message[];
}

/** A payment of which there is to be a receipt. */
interface Paid
  extends
    Payer,
    Pick<ReceiptContents, 'kind' | 'paidAt' | 'channel' | 'currency'>,
    Pick<Receipt, 'intent' | 'assessment' | 'integrator' | 'proof'> {
  readonly services: readonly string[];
  /** The agency with the largest share first. */
  readonly parts: readonly ReceivedPart[];
}

/** A receipt that was signed, and not written yet. */
export interface DraftedReceipt {
  readonly name: string;
  /** Yields a row while its key signs: the guard of the change reads it. */
  readonly key: Step;
  readonly write: (changed: Step) => WrittenOfReceipts;
}

/** Signs the receipt of a payment. */
export async function draftReceipt(call: Call, paid: Paid, at: Date): Promise<DraftedReceipt> {
  const { assessment, kind, paidAt, channel, currency, parts, services, payerName, utcOffset } = paid;
  const contents = {
    assessment,
    kind,
    paidAt,
    utcOffset,
    channel,
    currency,
    payerInitials: initialsOf(payerName),
    agencies: parts,
    otherAgencies: null,
    services: [...new Set(services)],
    otherServices: 0,
  };
  return signReceipt(call, paid, contents, at);
}

/** Signs a receipt of a payment, with a number of its own. */
export async function signReceipt(
  call: Call,
  { intent, assessment, integrator, proof }: Pick<Receipt, 'intent' | 'assessment' | 'integrator' | 'proof'>,
  contents: Omit<ReceiptContents, 'name'>,
  at: Date,
): Promise<DraftedReceipt> {
  const [name, signer] = await Promise.all([call.docnames.next('receipt', at), findSigner(call)]);
  const signed = signPayload(signer, writePayload({ ...contents, name }, roomFor(call.origin)));
  const receipt: Receipt = {
    name,
    intent,
    assessment,
    integrator,
    status: 'Issued',
    ...signed,
    code: codeOf(signed.signature),
    proof,
    copies: 0,
    createdAt: at,
    voidedAt: null,
    replacedBy: null,
    updatedAt: at,
  };
  return {
    name,
    key: holdKey(signer),
    write: (changed) => ({
      steps: [insertReceipt(changed, receipt)],
      trace: [traceOf(receipt, say`Receipt ${name} issued`)],
      messages: [messageOf(call, receipt)],
    }),
  };
}

/** Nothing to write about receipts. */
export const NOTHING_WRITTEN = {
  voided: [],
  steps: [],
  trace: [],
  messages: [],
} as const satisfies WrittenOfReceipts & {
  readonly voided: readonly Receipt[];
};

/** Voids the receipts of an assessment, or of one of its payments, of which nothing is left after a change. */
export async function voidReceipts(
  call: Call,
  changed: Step,
  { assessment, intent }: { readonly assessment: string; readonly intent?: string },
  at: Date,
): Promise<WrittenOfReceipts & { readonly voided: readonly Receipt[] }> {
  const issued = (await issuedReceiptsOf(call, assessment)).filter(
    (receipt) => intent === undefined || receipt.intent === intent,
  );
  if (issued.length === 0) return NOTHING_WRITTEN;
  const voided = issued.map((receipt): Receipt => ({ ...receipt, status: 'Void', voidedAt: at, updatedAt: at }));
  const names = voided.map(({ name }) => name);
  return {
    voided,
    steps: [
      step('voided')`
        update receipt r set status = 'Void', voided_at = ${at}, updated_at = ${at}
        from ${changed} where r.name = any(${names})`,
    ],
    trace: voided.map((receipt) => traceOf(receipt, say`Receipt ${receipt.name} is void`)),
    messages: voided.map((receipt) => messageOf(call, receipt)),
  };
}

function insertReceipt(changed: Step, receipt: Receipt): Step {
  return step('receipt_issued')`
    insert into receipt (name, intent, assessment, integrator, status, payload, signature, kid, code, created_at,
      updated_at)
    select d.name, d.intent, d.assessment, d.integrator, 'Issued', d.payload, d.signature, d.kid, d.code, d."createdAt",
      d."createdAt"
    from ${changed}, jsonb_to_record(${json(receipt)}::jsonb) as d (name text, intent text, assessment text,
      integrator text, payload text, signature text, kid text, code text, "createdAt" timestamptz)`;
}

/** The trace row of what happens to a receipt. */
export function traceOf(
  { name, intent, assessment }: Receipt,
  summary: TraceEntry['summary'],
  detail: TraceEntry['detail'] = {},
): TraceEntry {
  return { kind: 'receipt.update', assessment, intent, doc: name, summary, detail };
}

/** The message to integrators about a receipt. */
export function messageOf({ origin }: Pick<Call, 'origin'>, receipt: Receipt): Message {
  const { name: object, integrator, status } = receipt;
  const isVoid = status === 'Void';
  return {
    type: isVoid ? 'receipt.voided' : 'receipt.issued',
    object,
    sequence: isVoid ? 2 : 1,
    integrator,
    payload: snapshotReceipt(receipt, origin),
  };
}
