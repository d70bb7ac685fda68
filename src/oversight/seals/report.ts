import type { ChainReport } from './chains.ts';
import type { LedgerVerification } from './verify.ts';

/** A chain in a line. */
export function formatChain({ mda, seals, hash, broken }: ChainReport): string {
  const verdict = broken
    ? `BROKEN at ${broken.sequence}${broken.event ? ` (${broken.event})` : ''}: ${broken.why}; ${seals} before it are right`
    : `${seals} seals, all right; the last is ${hash}`;
  return `${mda.padEnd(14)} ${verdict}`;
}

/** Findings in addition to the chains, and limits of the check: a line each. */
export function formatFindings({ findings, unproved }: Pick<LedgerVerification, 'findings' | 'unproved'>): string[] {
  const found = findings.flatMap(({ check, count, rows }) => [
    `FOUND ${check}: ${count}`,
    ...rows.map(({ row, mda, why }) => `  ${row}${mda && !row.includes(mda) ? ` (${mda})` : ''}: ${why}`),
    ...(count > rows.length ? [`  and ${count - rows.length} more`] : []),
  ]);
  const result =
    found.length > 0
      ? found
      : ['Payments, receipts, references, money, messages, approvals, seals and sums agree with one another.'];
  return [...result, 'Not proved by this:', ...unproved.map((sentence) => `  ${sentence}`)];
}

/** The whole as `--json` prints it. */
export function formatVerification({ right, verifiedAt, chains, findings, unproved }: LedgerVerification): object {
  return { right, verified_at: verifiedAt.toISOString(), chains, findings, unproved };
}
