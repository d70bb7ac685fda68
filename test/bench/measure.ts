import type { Report, Target } from './report.ts';

/** The median of these rounds counts. */
export const ROUNDS = 8;
const WARMTH_CPU_MS = 4_000;
const LONGEST_WARMTH_MS = 12_000;
/** The target of a figure that gives context and need not be reached. */
const SAID: Target = { none: true };

/** One way of doing a job, run for a while by concurrent clients. */
export interface Side {
  readonly label: string;
  /** Does the job again and again for so many milliseconds. */
  run(milliseconds: number): Promise<Run>;
  /** CPU time used so far by the process that does it, in milliseconds. */
  cpuMs(): number;
  /** Waits until nothing that the job began is left to do; it counts against no rate. */
  settle?(): Promise<void>;
}

export interface Run {
  readonly done: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
  /** Both of these. */
  readonly allMs: number;
  readonly settledMs: number;
}

/** A side to compare with, and the bounds of the comparison. A figure without a bound is only shown. */
export interface Peer extends Side {
  readonly bounds: {
    /** The least that the ratio of rates is to be. */
    readonly rate?: number;
    /** The most that the ratio of CPU times is to be, PostgreSQL's included: work can be moved from one to the other. */
    readonly cpu?: number;
    /** The most that the ratio of what the slowest hundredth waits is to be. */
    readonly p99?: number;
  };
}

export interface Comparison {
  readonly what: string;
  readonly ours: Side;
  readonly peers: readonly Peer[];
  readonly seconds: number;
  /** The PostgreSQL of all sides. */
  readonly database: MeasuredDatabase;
}

/** The database that sides are measured on. */
export interface MeasuredDatabase {
  /** CPU time that PostgreSQL has used so far, in milliseconds. */
  databaseMs(): number;
  /** Has PostgreSQL count its rows, so that nothing is planned for the empty tables that it began with. */
  analyze(): Promise<void>;
}

async function runRound(
  { run, cpuMs, settle }: Side,
  database: MeasuredDatabase,
  milliseconds: number,
): Promise<Round> {
  const [from, cpuFrom, databaseFrom] = [performance.now(), cpuMs(), database.databaseMs()];
  const { done, ...waited } = await run(milliseconds);
  if (done === 0) throw new Error('A side answered nothing for a round: the machine is too busy to compare by');
  const until = performance.now();
  const used = { cpuMs: (cpuMs() - cpuFrom) / done, databaseMs: (database.databaseMs() - databaseFrom) / done };
  const allMs = used.cpuMs + used.databaseMs;
  await settle?.();
  return {
    perSecond: done / ((until - from) / 1_000),
    ...waited,
    ...used,
    allMs,
    settledMs: performance.now() - until,
  };
}

/** Runs a side until its compilers have settled: for so much of CPU time, which a busy machine takes longer to give. */
async function warm({ run, cpuMs, settle }: Side): Promise<void> {
  const [cpuFrom, until] = [cpuMs(), performance.now() + LONGEST_WARMTH_MS];
  while (cpuMs() - cpuFrom < WARMTH_CPU_MS && performance.now() < until) await run(1_000);
  await settle?.();
}

/** The middle one. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which such a share of all are. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Warms all sides, runs them in turns, and judges the median of the rounds' ratios. */
export async function compare(report: Report, { what, ours, peers, seconds, database }: Comparison): Promise<void> {
  const sides = [ours, ...peers];
  for (const side of sides) await warm(side);
  await database.analyze();
  const rounds = sides.map((): Round[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      // Each begins in turn, so that none always follows the same one.
      const at = (round + turn) % sides.length;
      rounds[at]!.push(await runRound(sides[at]!, database, seconds * 1_000));
    }
  }
  const settles = sides.some(({ settle }) => settle !== undefined);
  report.table(
    [
      what,
      'a second',
      'least',
      'most',
      'p50 ms',
      'p99 ms',
      'server ms',
      'PostgreSQL ms',
      ...(settles ? ['settled after ms'] : []),
    ],
    sides.map((side, at) => rowOf(side, rounds[at]!, settles)),
  );
  for (const [index, { label, bounds }] of peers.entries()) {
    const ratios = (of: (round: Round) => number) =>
      rounds[0]!.map((round, at) => of(round) / of(rounds[index + 1]![at]!));
    const judge = (figure: string, values: readonly number[], target: Target) =>
      report.judge({
        what: `${what}${figure} ÷ ${label}`,
        figure: median(values),
        unit: '×',
        range: [Math.min(...values), Math.max(...values)],
        target,
      });
    const { rate, cpu, p99 } = bounds;
    judge(
      '',
      ratios(({ perSecond }) => perSecond),
      rate === undefined ? SAID : { atLeast: rate },
    );
    if (cpu !== undefined)
      judge(
        ', CPU of all',
        ratios(({ allMs }) => allMs),
        { atMost: cpu },
      );
    if (p99 !== undefined)
      judge(
        ', p99',
        ratios(({ p99Ms }) => p99Ms),
        { atMost: p99 },
      );
  }
}

function rowOf({ label }: Side, rounds: readonly Round[], settles: boolean) {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const rates = rounds.map(({ perSecond }) => perSecond);
  return [
    label,
    median(rates),
    Math.min(...rates),
    Math.max(...rates),
    of(({ p50Ms }) => p50Ms),
    of(({ p99Ms }) => p99Ms),
    of(({ cpuMs }) => cpuMs),
    of(({ databaseMs }) => databaseMs),
    ...(settles ? [of(({ settledMs }) => settledMs)] : []),
  ];
}
