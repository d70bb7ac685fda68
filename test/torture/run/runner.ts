import { findBroken } from '../../harness/chaos/invariants.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import type { Outcome, Report, Result } from '../report/report.ts';
import type { OpenPlace, Place } from './place.ts';
import { type Options, type Planned, plan, shareOf } from './plan.ts';
import { Progress } from './progress.ts';
import { Context, NotRun, type Scenario } from './scenario.ts';

interface Running extends Options {
  readonly open: OpenPlace;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Called after each scenario, with what is known so far. */
  readonly onResult?: (report: Report) => void;
}

/** Runs one scenario after another; what came of each. */
export async function runAll(scenarios: readonly Scenario[], options: Running): Promise<Report> {
  const { minutes, seed, say, onResult = () => {} } = options;
  const startedAt = new Date();
  const began = performance.now();
  const results: Result[] = [];
  const reported = (): Report => ({ seed, minutes, startedAt, seconds: secondsSince(began), results: [...results] });
  const planned = plan(scenarios, options);
  for (const [index, one] of planned.entries()) {
    const leftMs = minutes * 60_000 - (performance.now() - began);
    const until = minutes === 0 ? Infinity : performance.now() + shareOf(planned.slice(index), leftMs);
    const result = await runOne(one, until, options);
    results.push(result);
    say(`${one.scenario.name}: ${result.outcome}, ${result.tried} of ${result.full} ${result.unit}`);
    for (const line of [...result.losses.slice(0, 5), ...(result.why ? [result.why] : [])]) say(`  ${line}`);
    onResult(reported());
  }
  return reported();
}

async function runOne(
  { scenario, seed, full, floor }: Planned,
  until: number,
  { open, signal, say }: Running,
): Promise<Result> {
  const { name, title, promise, unit } = scenario;
  const began = performance.now();
  const context = new Context({ full, floor, until, signal, open, random: seedRandom(seed) });
  const result = (outcome: Outcome, why: string | null = null): Result => ({
    name,
    title,
    promise,
    unit,
    full,
    outcome,
    why,
    tried: context.tried,
    seconds: secondsSince(began),
    counts: context.counts,
    losses: context.losses,
  });
  const why = signal.aborted ? 'the run was interrupted before it' : (scenario.missing?.() ?? null);
  if (why !== null) return result('not run', why);
  say(`${name}: ${title} (${unit}: ${full.toLocaleString('en')})`);
  const progress = Progress.start({ name, unit, full, until }, context, say);
  try {
    await scenario.run(context);
    for (const place of context.places) await verify(context, place);
    await context.close();
    if (context.losses.length > 0) return result('lost');
    // That nothing was lost says nothing while nothing was tried.
    return context.tried > 0 ? result('held') : result('not run', 'nothing was tried');
  } catch (error) {
    await context.close().catch((later: unknown) => say(`${name}: ${String(later)}`));
    if (error instanceof NotRun) return result('not run', error.message);
    return result('broke off', error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    progress.stop();
  }
}

/** Checks that hold after every scenario: the invariants of the database, and the ledger. */
async function verify(context: Context, place: Place): Promise<void> {
  if (!place.isMadeUp) context.lose('invariants broken', await findBroken((text) => place.query(text)));
  const { code, output, errors } = await place.verify();
  context.count('ledger verified');
  context.hold(code === 0, () => `ledger:verify ended with ${code}: ${output}${errors}`);
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10;
}
