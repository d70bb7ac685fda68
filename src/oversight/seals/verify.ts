import { checkDays } from '../closes/days/check.ts';
import type { Rail } from '../../platform/call/call.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { type ChainReport, verifyChains } from './chains.ts';
import { CROSS_CHECKS } from './cross-checks.ts';
import { type BrokenRow, type Findings, MOST_NAMED, runCheck } from './check.ts';
import { DOCUMENT_CHECKS } from './document-checks.ts';
import { checkReceipts } from './receipts.ts';
import type { KeptHead, KeptLogSeal } from './heads.ts';
import { LOG_CHECK, checkKeptLogSeals } from './logs/check.ts';
import { RECORD_CHECKS } from './record-checks.ts';
import { SUM_CHECKS } from './sum-checks.ts';

/** Result of verifying the ledger. */
export interface LedgerVerification {
  /** True if nothing was found. */
  readonly right: boolean;
  /** The moment that all of it is about, by the database's clock. */
  readonly verifiedAt: Date;
  readonly chains: readonly ChainReport[];
  readonly findings: readonly Findings[];
  /** Limits of the verification, each a sentence. */
  readonly unproved: readonly string[];
}

/**
 * Verifies the whole ledger as of one moment, while the rail runs: every chain of seals, and intents, events, seals
 * and sums against one another. What waits to be sealed or counted is no fault. Chains are read a batch at a time, and
 * of each check the first rows alone, so that it takes little memory however large the ledger is. Each check is one
 * statement, and may take as long as those of jobs may.
 */
export function verifyLedger(
  { transaction }: Pick<Rail, 'transaction'>,
  heads: readonly (KeptHead | KeptLogSeal)[] = [],
  onChain: (report: ChainReport) => void = () => {},
): Promise<LedgerVerification> {
  return transaction(async (db) => {
    await db.rows(sql`set transaction isolation level repeatable read, read only`);
    return runChecks(db, heads, onChain);
  });
}

/** The same within a transaction of the caller's. */
export async function runChecks(
  db: Database,
  kept: readonly (KeptHead | KeptLogSeal)[] = [],
  onChain: (report: ChainReport) => void = () => {},
): Promise<LedgerVerification> {
  const heads = kept.filter((head) => 'mda' in head);
  const logSeals = kept.filter((head) => 'log' in head);
  const state = await db.row<{ now: Date; waiting: number }>(
    sql`select now(), (select count(*) from unsealed_event) as waiting`,
  );
  const chains: ChainReport[] = [];
  for await (const report of verifyChains(db, heads)) {
    chains.push(report);
    onChain(report);
  }
  const findings: Findings[] = [];
  for (const check of [
    ...CROSS_CHECKS,
    ...DOCUMENT_CHECKS,
    ...RECORD_CHECKS,
    ...SUM_CHECKS,
    LOG_CHECK,
    checkKeptLogSeals(logSeals),
  ]) {
    const found = await runCheck(db, check);
    if (found) findings.push(found);
  }
  const forged = await checkReceipts(db);
  if (forged) findings.push(forged);
  const rows: BrokenRow[] = [];
  let count = 0;
  for await (const row of checkDays(db)) if (++count <= MOST_NAMED) rows.push(row);
  if (count > 0) findings.push({ check: 'closed_day', count, rows });
  const differing = findDifferingHeads(chains);
  if (differing) findings.push(differing);
  const right = findings.length === 0 && chains.every(({ broken }) => broken === null);
  return { right, verifiedAt: state!.now, chains, findings, unproved: listUnproved(chains, heads, state!.waiting) };
}

function findDifferingHeads(chains: readonly ChainReport[]): Findings | null {
  const rows = chains.flatMap(({ mda, seals, broken, heads = [] }) =>
    heads
      .filter(({ hash, found }) => found !== hash)
      .map(({ sequence, found }) => {
        const short = broken ? `the chain is broken at ${broken.sequence}` : `the chain has ${seals} seals alone`;
        return {
          row: `${mda} ${sequence}`,
          mda,
          why: found === null ? `was kept outside, and ${short}` : `was kept outside with another hash than ${found}`,
        };
      }),
  );
  return rows.length === 0 ? null : { check: 'kept_head', count: rows.length, rows };
}

function listUnproved(chains: readonly ChainReport[], heads: readonly KeptHead[], waiting: number): string[] {
  const headless = chains.filter((chain) => chain.seals > 0 && !chain.heads).map(({ mda }) => mda);
  const since = chains.reduce(
    (sum, chain) => sum + (chain.heads ? chain.seals - Math.max(...chain.heads.map(({ sequence }) => sequence)) : 0),
    0,
  );
  const sentences = [
    heads.length === 0 &&
      'Without heads that were kept outside (--heads), a payment that was removed together with everything that tells of it, and a chain that was made anew, look like a ledger that was never otherwise.',
    heads.length > 0 &&
      headless.length > 0 &&
      `No head was given of ${headless.join(', ')}: of these, the same holds as without heads.`,
    heads.length > 0 &&
      since > 0 &&
      `${since} events were sealed after the heads were kept: for them, the same holds as without heads.`,
    waiting > 0 && `${waiting} events wait to be sealed: nothing vouches for the transaction ids of these yet.`,
    'When a seal was made is covered by no hash. What was collected and never recorded is shown by the statements of providers alone.',
  ];
  return sentences.filter((sentence) => sentence !== false);
}
