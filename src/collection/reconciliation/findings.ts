import type { Finding } from '../anomalies/raise.ts';
import { OUTCOMES, type Compared, type MatchOutcome } from './compare.ts';

/** Most mismatches of a run that are raised one by one: more are a matter of the statement, not of payments. */
const MOST_RAISED = 100;

/** The intents of the mismatches that are raised one by one. */
export function intentsRaised(compared: readonly Compared[]): string[] {
  return mismatchesOf(compared)
    .slice(0, MOST_RAISED)
    .flatMap(({ intent }) => paymentOf(intent) ?? []);
}

const paymentOf = (intent: Compared['intent']) => intent?.back?.intent ?? intent?.name;

/** True if a row was compared; it has another kind otherwise. */
const isCompared = ({ outcome }: Compared) => OUTCOMES.includes(outcome as MatchOutcome);

/** What is recorded of a row: nothing of money that went back without a refund, nor of a row of another kind. */
export function recordedIn(compared: Compared) {
  const { intent } = compared;
  const recorded = intent?.back?.refund === null || !isCompared(compared) ? null : intent;
  return { recorded_amount: recorded?.amount ?? null, recorded_currency: recorded?.currency ?? null };
}

function mismatchesOf(compared: readonly Compared[]): Compared[] {
  return compared.filter((one) => one.outcome !== 'matched' && isCompared(one));
}

/**
 * Findings of a run: each mismatch once, by whichever run finds it, and beyond the first hundred of a statement one
 * finding for all the others.
 */
export function mismatchFindingsOf(
  run: string,
  { provider, sourceHash }: { readonly provider: string; readonly sourceHash: string },
  compared: readonly Compared[],
  agenciesOf: ReadonlyMap<string, readonly string[]>,
): Finding[] {
  const each = mismatchesOf(compared)
    .slice(0, MOST_RAISED)
    .map((one): Finding => {
      const { outcome, row, intent } = one;
      return {
        kind: 'statement_mismatch',
        subject: paymentOf(intent) ?? `${provider}:${row!.reference}`,
        mdas: agenciesOf.get(paymentOf(intent) ?? '') ?? [],
        evidence: {
          run,
          outcome,
          line: row?.line ?? null,
          statement_amount: row?.amount ?? null,
          statement_currency: row?.currency ?? null,
          ...recordedIn(one),
          intent_status: intent?.status ?? null,
          ...(intent?.back?.refund && { refund: intent.back.refund }),
        },
      };
    });
  const rest = mismatchesOf(compared).slice(MOST_RAISED);
  if (rest.length === 0) return each;
  const outcomes = Object.fromEntries(
    [...Map.groupBy(rest, ({ outcome }) => outcome)].map(([outcome, found]) => [outcome, found.length]),
  );
  // Named by the file, so that running it again raises no second one.
  const evidence = { run, further: rest.length, ...outcomes };
  const all: Finding = { kind: 'statement_mismatch', subject: `${provider}:${sourceHash}`, mdas: [], evidence };
  return [...each, all];
}
