import type { Call } from '../../platform/call/call.ts';
import type { AnomalyFlag } from '../../platform/change/commit.ts';
import type { Compared } from './compare.ts';

/** How many mismatches of a run are flagged one by one: more than that is a matter of the statement, not of payments. */
const MOST_FLAGGED = 100;

/**
 * The anomalies of a run: each mismatch once, whichever run finds it, and beyond the first hundred of a statement one for all the others.
 */
export async function flags(
  call: Call,
  run: string,
  { provider, sourceHash }: { readonly provider: string; readonly sourceHash: string },
  compared: readonly Compared[],
): Promise<AnomalyFlag[]> {
  const mismatches = compared.filter(({ outcome }) => outcome !== 'matched');
  const flagged = mismatches.slice(0, MOST_FLAGGED);
  const names = await call.docnames.take('anomaly', flagged.length + 1, call.now());
  const each = flagged.map(({ outcome, row, intent }, index): AnomalyFlag => ({
    name: names[index]!,
    kind: 'statement_mismatch',
    subject: intent?.name ?? `${provider}:${row!.reference}`,
    evidence: {
      run,
      outcome,
      line: row?.line ?? null,
      statement_amount: row?.amount ?? null,
      statement_currency: row?.currency ?? null,
      recorded_amount: intent?.amount ?? null,
      recorded_currency: intent?.currency ?? null,
      intent_status: intent?.status ?? null,
    },
  }));
  const rest = mismatches.slice(MOST_FLAGGED);
  if (rest.length === 0) return each;
  const outcomes = Object.fromEntries([...Map.groupBy(rest, ({ outcome }) => outcome)].map(([outcome, found]) => [outcome, found.length]));
  // Named by the file, so that running it again raises no second one.
  const all: AnomalyFlag = {
    name: names.at(-1)!,
    kind: 'statement_mismatch',
    subject: `${provider}:${sourceHash}`,
    evidence: { run, further: rest.length, ...outcomes },
  };
  return [...each, all];
}
