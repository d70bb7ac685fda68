import { writeReport } from '../report/files.ts';
import { CODES, codeOf, summarise } from '../report/report.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import { Ground } from './place.ts';
import type { Options } from './plan.ts';
import { runAll } from './runner.ts';
import type { Scenario } from './scenario.ts';

interface Suite extends Options {
  /** The names of some scenarios; all where there are none. */
  readonly only: readonly string[] | undefined;
  /** The folder of the report. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Runs scenarios, reports what came of them, and answers the code to end with. */
export async function runSuite({ only, folder, signal, ...options }: Suite): Promise<number> {
  const scenarios = only ? only.map(findScenario) : SCENARIOS;
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  say(`seed ${options.seed}`);
  const ground = new Ground();
  try {
    const onResult = (report: Parameters<typeof writeReport>[1]) => writeReport(folder, report);
    const report = await runAll(scenarios, { ...options, open: ground.open, signal, say, onResult });
    process.stdout.write(`${summarise(report)} ${folder}/report.html\n`);
    return codeOf(report) || (signal.aborted ? CODES.notRun : CODES.held);
  } finally {
    await ground.close();
  }
}

export function listScenarios(): string {
  return SCENARIOS.map(
    ({ name, title, full, unit }) => `${name.padEnd(16)}${title} (${full.toLocaleString('en')} ${unit})\n`,
  ).join('');
}

function findScenario(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name.trim());
  if (scenario) return scenario;
  throw new Error(`There is no scenario “${name}”; there are ${SCENARIOS.map((one) => one.name).join(', ')}`);
}
