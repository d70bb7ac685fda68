/**
 * `held`: nothing was lost. `lost`: something was, or is otherwise than it was promised. `broke off`: the scenario ended
 * in an error, so that nothing is known. `not run`: why, says the result.
 */
export type Outcome = 'held' | 'lost' | 'broke off' | 'not run';

/** The result of a scenario. */
export interface Result {
  readonly name: string;
  readonly title: string;
  readonly promise: string;
  readonly outcome: Outcome;
  readonly unit: string;
  readonly tried: number;
  readonly full: number;
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly losses: readonly string[];
  /** Why it was not run, or what it broke off with. */
  readonly why: string | null;
}

export interface Report {
  readonly seed: number;
  readonly minutes: number;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly results: readonly Result[];
}

/** Exit codes. */
export const CODES = { held: 0, lost: 1, notRun: 3 } as const;

/** The code to end with: whether anything was lost or broke off, and else whether anything was not run. */
export function codeOf({ results }: Report): number {
  if (results.some(({ outcome }) => outcome === 'lost' || outcome === 'broke off')) return CODES.lost;
  return results.some(({ outcome }) => outcome === 'not run') ? CODES.notRun : CODES.held;
}

/** A sentence that sums up the run. */
export function summarise({ results, seconds, seed }: Report): string {
  const many = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const parts = [
    `${many('held')} of ${results.length} scenarios lost nothing`,
    many('lost') > 0 && `${many('lost')} LOST SOMETHING`,
    many('broke off') > 0 && `${many('broke off')} broke off`,
    many('not run') > 0 && `${many('not run')} not run`,
  ];
  return `${parts.filter(Boolean).join(', ')}; ${Math.round(seconds)} s, seed ${seed}.`;
}

/** The tried part of a scenario's full count. */
export function extentOf({ tried, full, unit }: Result): string {
  return `${tried.toLocaleString('en')} of ${full.toLocaleString('en')} ${unit}`;
}
