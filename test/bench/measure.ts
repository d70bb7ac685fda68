import type { Report } from './report.ts';

const ROUNDS = 5;
const WARMTH_CPU_MS = 4_000;
const LONGEST_WARMTH_MS = 12_000;

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
  readonly p99Ms: number;
}

interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
  readonly settledMs: number;
}

export interface Comparison {
  readonly what: string;
  readonly ours: Side;
  readonly peer: Side;
  /** The least that the ratio of rates is to be, and the most that of CPU times. */
  readonly target: { readonly rate: number; readonly cpu?: number };
  readonly seconds: number;
  /** CPU time used so far by PostgreSQL, in milliseconds. */
  databaseMs(): number;
}

async function runRound({ run, cpuMs, settle }: Side, databaseMs: () => number, milliseconds: number): Promise<Round> {
  const [from, cpuFrom, databaseFrom] = [performance.now(), cpuMs(), databaseMs()];
  const { done, p99Ms } = await run(milliseconds);
  const until = performance.now();
  const used = { cpuMs: (cpuMs() - cpuFrom) / done, databaseMs: (databaseMs() - databaseFrom) / done };
  await settle?.();
  return { perSecond: done / ((until - from) / 1_000), p99Ms, ...used, settledMs: performance.now() - until };
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

/** Warms both sides, runs them in turns, and judges the median of the rounds' ratios. */
export async function compare(
  report: Report,
  { what, ours, peer, target, seconds, databaseMs }: Comparison,
): Promise<void> {
  const milliseconds = seconds * 1_000;
  for (const side of [ours, peer]) await warm(side);
  const rounds: { ours: Round; peer: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 ? [peer, ours] : [ours, peer];
    const a = await runRound(first, databaseMs, milliseconds);
    const b = await runRound(second, databaseMs, milliseconds);
    rounds.push(round % 2 ? { ours: b, peer: a } : { ours: a, peer: b });
  }
  const settles = ours.settle !== undefined || peer.settle !== undefined;
  report.table(
    [
      what,
      'a second',
      'least',
      'most',
      'p99 ms',
      'server ms',
      'PostgreSQL ms',
      ...(settles ? ['settled after ms'] : []),
    ],
    [
      rowOf(
        ours,
        rounds.map((round) => round.ours),
        settles,
      ),
      rowOf(
        peer,
        rounds.map((round) => round.peer),
        settles,
      ),
    ],
  );
  const ratios = (of: (round: Round) => number) => rounds.map((round) => of(round.ours) / of(round.peer));
  const rates = ratios(({ perSecond }) => perSecond);
  report.judge({
    what: `${what} ÷ ${peer.label}`,
    figure: median(rates),
    unit: '×',
    range: [Math.min(...rates), Math.max(...rates)],
    target: { atLeast: target.rate },
  });
  if (target.cpu === undefined) return;
  const used = ratios(({ cpuMs }) => cpuMs);
  report.judge({
    what: `${what}, CPU ÷ ${peer.label}`,
    figure: median(used),
    unit: '×',
    range: [Math.min(...used), Math.max(...used)],
    target: { atMost: target.cpu },
  });
}

function rowOf({ label }: Side, rounds: readonly Round[], settles: boolean) {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const rates = rounds.map(({ perSecond }) => perSecond);
  return [
    label,
    median(rates),
    Math.min(...rates),
    Math.max(...rates),
    of(({ p99Ms }) => p99Ms),
    of(({ cpuMs }) => cpuMs),
    of(({ databaseMs }) => databaseMs),
    ...(settles ? [of(({ settledMs }) => settledMs)] : []),
  ];
}
