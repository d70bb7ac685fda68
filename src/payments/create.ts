import { findAssessment } from '../assessments/find.ts';
import type { Call } from '../call.ts';
import { commit, untilSettled } from '../database/change.ts';
import { json, sql } from '../database/sql.ts';
import type { Channel } from '../generated/prisma/enums.ts';
import { invalid } from '../refusal.ts';
import { openChannel } from './channel.ts';
import type { PaymentIntent } from './find.ts';
import { type Split, deriveSplits, explicitSplits } from './splits.ts';

export interface IntentInput {
  readonly assessment: string;
  readonly channel: Channel;
  readonly splits?: readonly Split[] | null | undefined;
}

export const MOST_SPLITS = 100;

/** Opens a payment intent over the total of an Assessed assessment. */
export function createPaymentIntent(call: Call, input: IntentInput): Promise<PaymentIntent> {
  return untilSettled(async () => {
    const assessment = await findAssessment(call, input.assessment);
    if (!assessment) throw invalid('assessment', 'could not find this Assessment');
    if (assessment.status !== 'Assessed') throw invalid('assessment', `is ${assessment.status}; only an Assessed one can be paid`);
    const { totalAmount: amount, currency } = assessment;
    if (amount.isZero()) throw invalid('assessment', 'has nothing to pay');
    const channel = openChannel(call, input.channel);
    const splits = input.splits
      ? explicitSplits(input.splits, { amount, currency }, await openAgencies(call, input.splits))
      : deriveSplits(assessment.lines);

    const at = call.now();
    const name = await call.docnames.next('intent', at);
    const intent: PaymentIntent = {
      name,
      assessment: assessment.name,
      integrator: assessment.integrator,
      channel: input.channel,
      status: 'Pending',
      amount,
      currency,
      aggregator: channel.aggregator,
      aggregatorReference: null,
      payerMsisdn: null,
      failureReason: null,
      revision: 1,
      claimedBy: null,
      claimedAt: null,
      initiatedAt: null,
      confirmedAt: null,
      expiresAt: new Date(at.getTime() + call.config.intentTtlHours * 3_600_000),
      createdAt: at,
      updatedAt: at,
      splits: splits.map((split) => ({ intent: name, ...split })),
    };
    return (await insert(call, intent)) ? intent : undefined;
  });
}

async function openAgencies(call: Call, splits: readonly Split[]): Promise<Set<string>> {
  const rows = await call.db.rows<{ name: string }>(
    sql`select name from mda where status = 'Active' and name = any(${splits.map(({ mda }) => mda)})`,
  );
  return new Set(rows.map(({ name }) => name));
}

function insert(call: Call, intent: PaymentIntent): Promise<boolean> {
  const { name, assessment, integrator, channel, status, amount, currency, aggregator, revision, expiresAt, createdAt, splits } = intent;
  const changed = sql`
    insert into payment_intent (name, assessment, integrator, channel, status, amount, currency, aggregator, revision, expires_at, created_at, updated_at)
    select ${name}, a.name, ${integrator}, ${channel}::channel, ${status}::intent_status, ${amount}, ${currency}, ${aggregator}, ${revision},
      ${expiresAt}, ${createdAt}, ${createdAt}
    from assessment a where a.name = ${assessment} and a.status = 'Assessed'
    returning name`;
  const split = sql`
    insert into split_rule (intent, mda, amount)
    select changed.name, s.mda, s.amount from changed, jsonb_to_recordset(${json(splits)}::jsonb) as s (mda text, amount numeric)`;
  const detail = { to: status, amount, currency, channel, splits: splits.map(({ mda, amount: share }) => ({ mda, amount: share })) };
  return commit(call, {
    subject: name,
    steps: { changed, split },
    trace: [{ kind: 'payment_intent.update', assessment, intent: name, doc: name, summary: 'Pending intent created', detail }],
  });
}
