import type { Call } from '../../../platform/call/call.ts';
import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { type Sql, json, sql } from '../../../platform/database/sql.ts';
import { say } from '../../../kernel/text/said.ts';
import type { Assessment } from '../../assessments/find.ts';
import type { PaymentIntent } from '../find.ts';
import type { Split } from '../splits.ts';

/** Members of a new intent; others have no value yet. */
type Given = Pick<PaymentIntent, 'name' | 'channel' | 'aggregator'> &
  Partial<Omit<PaymentIntent, 'splits'>> & { readonly splits: readonly Split[] };

/** A Pending intent over the total of an assessment. */
export function draftIntent(
  { config }: Call,
  { name: assessment, integrator, totalAmount: amount, currency }: Assessment,
  at: Date,
  given: Given,
): PaymentIntent {
  return {
    assessment,
    integrator,
    status: 'Pending',
    amount,
    currency,
    aggregatorReference: null,
    payerMsisdn: null,
    returnUrl: null,
    nextAction: null,
    link: null,
    tendered: null,
    reference: null,
    metadata: null,
    failureReason: null,
    splitOverride: false,
    revision: 1,
    claimedBy: null,
    claimedAt: null,
    initiatedAt: null,
    confirmedAt: null,
    expiresAt: new Date(at.getTime() + config.intentTtlHours * 3_600_000),
    createdAt: at,
    updatedAt: at,
    ...given,
    splits: given.splits.map(({ mda, amount: share }) => ({ intent: given.name, mda, amount: share })),
  };
}

/** Writes a new intent, for the row of a relation. */
export function insertIntent(
  intent: PaymentIntent,
  enquireAt: Sql,
  relation: Sql,
  payerEmail: Uint8Array | null = null,
): Sql {
  const { metadata, claimedAt, initiatedAt, confirmedAt } = intent;
  return sql`
    insert into payment_intent (name, assessment, integrator, channel, status, amount, currency, aggregator,
      aggregator_reference, payer_msisdn, payer_email, return_url, tendered, link, reference, metadata, split_override, revision, claimed_by,
      claimed_at, enquire_at, initiated_at, confirmed_at, expires_at, created_at, updated_at)
    select ${intent.name}, ${intent.assessment}, ${intent.integrator}, ${intent.channel}::channel,
      ${intent.status}::intent_status, ${intent.amount}, ${intent.currency}, ${intent.aggregator},
      ${intent.aggregatorReference}, ${intent.payerMsisdn}, ${payerEmail}::bytea, ${intent.returnUrl}, ${intent.tendered}, ${intent.link}, ${intent.reference},
      ${metadata && json(metadata)}::jsonb, ${intent.splitOverride}, ${intent.revision}, ${intent.claimedBy},
      ${claimedAt}::timestamptz, ${enquireAt}, ${initiatedAt}::timestamptz, ${confirmedAt}::timestamptz,
      ${intent.expiresAt}, ${intent.createdAt}, ${intent.updatedAt}
    from ${relation} returning name`;
}

/** Writes the splits of a new intent. */
export function insertSplits(changed: Step, { splits }: PaymentIntent): Step {
  return step('split')`
    insert into split_rule (intent, mda, amount)
    select ${changed}.name, s.mda, s.amount
    from ${changed}, jsonb_to_recordset(${json(splits)}::jsonb) as s (mda text, amount numeric)`;
}

/** The trace row of a new intent. */
export function traceOpening({
  name,
  assessment,
  amount,
  currency,
  channel,
  tendered,
  splits,
}: PaymentIntent): TraceEntry {
  const detail = {
    to: 'Pending',
    amount,
    currency,
    channel,
    ...(tendered && { tendered }),
    splits: splits.map(({ mda, amount: share }) => ({ mda, amount: share })),
  };
  return {
    kind: 'payment_intent.update',
    assessment,
    intent: name,
    doc: name,
    summary: say`Pending intent created`,
    detail,
  };
}
