import { createHash } from 'node:crypto';
import type { Scenario } from './scenario.ts';

export interface Options {
  /** Minutes for the whole run; 0 for the full counts, without a limit. */
  readonly minutes: number;
  readonly seed: number;
  /** The most that there is of anything. */
  readonly atMost?: number;
}

/** A scenario as it is run with a seed. */
export interface Planned {
  readonly scenario: Scenario;
  /** A seed for each scenario, so that one that runs alone makes the same choices as among others. */
  readonly seed: number;
  readonly full: number;
  readonly floor: number;
}

export function plan(scenarios: readonly Scenario[], { seed, atMost = Infinity }: Omit<Options, 'minutes'>): Planned[] {
  return scenarios.map((scenario) => ({
    scenario,
    seed: createHash('sha256').update(`${seed} ${scenario.name}`).digest().readUInt32LE(),
    full: Math.min(scenario.full, atMost),
    floor: Math.min(scenario.floor, atMost),
  }));
}

/** The first scenario's share of the remaining time. Each of the others keeps its own. */
export function shareOf(planned: readonly Planned[], leftMs: number): number {
  const all = planned.reduce((sum, { scenario }) => sum + scenario.share, 0);
  return (leftMs * planned[0]!.scenario.share) / all;
}
