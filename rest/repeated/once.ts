import {
  type StoredAnswer,
  findMeanwhile,
  beginOnce,
  isOutcome,
  keepAnswer,
  isLostKey,
  getMeanwhile,
} from '../../src/platform/change/idempotency.ts';
import type { Call } from '../../src/platform/call/call.ts';
import { explain } from '../../src/graphql/errors.ts';
import { type Outcome, answerRefusal } from '../outcomes.ts';

/** Runs what carries an `Idempotency-Key`, and stores its outcome for repetitions. */
export async function runOnce(
  call: Call,
  request: { principal: string; key: string; fingerprint: string },
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const opened = await beginOnce(call, request);
  if ('stored' in opened) return replay(opened.stored);
  call.once = opened.once;
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    if (isLostKey(error)) return replay(await getMeanwhile(call, opened.once));
    outcome = answerRefusal(explain(error, call));
  }
  const faster = outcome.status === 409 ? await findMeanwhile(call, opened.once) : null;
  if (faster) return replay(faster);
  if (!isOutcome(outcome.status)) return outcome;
  const answer: StoredAnswer = { httpStatus: outcome.status, body: outcome.body };
  const stored = await keepAnswer(call, opened.once, answer);
  return stored === answer ? outcome : replay(stored);
}

function replay({ httpStatus, body }: StoredAnswer): Outcome {
  return { status: httpStatus, body, headers: { 'Idempotent-Replayed': 'true' } };
}
