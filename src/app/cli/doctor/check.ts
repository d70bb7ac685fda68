import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../../kernel/refusal.ts';

/** `skipped` is what could not be looked at, for a reason that another check names. */
export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** Finding of a check, in a line. */
export interface Finding {
  readonly status: Status;
  /** Subject of the finding, if there are several. */
  readonly about?: string;
  readonly found: string;
  /** Advice on it. */
  readonly advice?: string;
}

/** Something that can be wrong with a rail. What it throws is a failure too. */
export interface Check {
  readonly name: string;
  run(): Promise<Finding | readonly Finding[]>;
}

export interface Result {
  readonly check: string;
  readonly status: Status;
  readonly found: string;
  readonly advice: string | null;
}

export const ok = (found: string, about?: string): Finding => ({ status: 'ok', found, ...(about && { about }) });
export const skipped = (found: string): Finding => ({ status: 'skipped', found });
export const warning = (found: string, advice: string, about?: string): Finding => ({
  status: 'warning',
  found,
  advice,
  ...(about && { about }),
});
export const failed = (found: string, advice: string, about?: string): Finding => ({
  status: 'failed',
  found,
  advice,
  ...(about && { about }),
});

/** Longer than a check waits for anything outside, with its repetitions. */
const LIMIT_MS = 20_000;

/** Runs all checks at once; each has an answer within a time. */
export async function runChecks(checks: readonly Check[]): Promise<Result[]> {
  const results = await Promise.all(
    checks.map(async ({ name, run }) => {
      const found = await limit(run()).catch((error: unknown) =>
        failed(reasonOf(error), 'See When something breaks in docs/operators.md'),
      );
      return [found].flat().map(({ about, status, found: text, advice = null }) => ({
        check: about === undefined ? name : `${name} ${about}`,
        status,
        found: text.replaceAll(/\s+/g, ' '),
        advice,
      }));
    }),
  );
  return results.flat();
}

async function limit<T>(running: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(LIMIT_MS, null, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${LIMIT_MS / 1_000} s`);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    // A check that is given up does not fail later.
    late.catch(() => {});
    timer.abort();
  }
}
