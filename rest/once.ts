import {
  type StoredAnswer,
  answeredMeanwhile,
  beginOnce,
  isOutcome,
  keepAnswer,
  lostKey,
  storedMeanwhile,
} from '../src/platform/call/idempotency.ts';
import type { Call } from '../src/platform/call/call.ts';
import { explain } from '../src/graphql/errors.ts';
import { type Outcome, refused } from './outcomes.ts';

/** Runs what carries an `Idempotency-Key`, and stores its outcome for repetitions. */
export async function runOnce(
  call: Call,
  request: { principal: string; key: string; fingerprint: string },
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const opened = await beginOnce(call, request);
  if ('stored' in opened) return replayed(opened.stored);
  call.once = opened.once;
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    if (lostKey(error)) return replayed(await storedMeanwhile(call, opened.once));
    outcome = refused(explain(error, call));
  }
  const faster = outcome.status === 409 ? await answeredMeanwhile(call, opened.once) : null;
  if (faster) return replayed(faster);
  if (!isOutcome(outcome.status)) return outcome;
  const answer: StoredAnswer = { httpStatus: outcome.status, body: outcome.body };
  const kept = await keepAnswer(call, opened.once, answer);
  return kept === answer ? outcome : replayed(kept);
}

function replayed({ httpStatus, body }: StoredAnswer): Outcome {
  return { status: httpStatus, body, headers: { 'Idempotent-Replayed': 'true' } };
}
