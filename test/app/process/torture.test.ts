import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PointBooks } from '../../harness/people/biller.ts';
import { Payer } from '../../harness/people/payer.ts';
import { TestRail } from '../../harness/rail.ts';
import type { Served } from '../../harness/processes.ts';
import { MUTANTS, breakFile } from '../../torture/mutants/mutants.ts';
import { writeReport } from '../../torture/report/files.ts';
import { type Report, type Result, codeOf } from '../../torture/report/report.ts';
import { type OpenPlace, Place, DEFAULTS } from '../../torture/run/place.ts';
import { plan, shareOf } from '../../torture/run/plan.ts';
import { runAll } from '../../torture/run/runner.ts';
import { repeats } from '../../torture/scenarios/money/repeats.ts';
import { revocations } from '../../torture/scenarios/money/revocations.ts';
import { listScenarios, runSuite } from '../../torture/run/suite.ts';
import { SCENARIOS } from '../../torture/scenarios/scenarios.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-torture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A database that drops each assessment once it is committed. */
const FORGET = [
  `create function forget() returns trigger language plpgsql as $$
   begin
     set local session_replication_role = replica;
     delete from assessment where name = new.name;
     return null;
   end $$`,
  `create constraint trigger forget after insert on assessment deferrable initially deferred
   for each row execute function forget()`,
];

/** On a copy of the tests' own database, after some statements. */
const openAfter =
  (...statements: string[]): OpenPlace =>
  async (env = {}) => {
    const rail = new TestRail({ ...DEFAULTS, ...env });
    // Processes of their own take seconds to start; what is tried here is the suite.
    const here: Served = {
      cpuMs: () => 0,
      memoryMiB: () => 0,
      openFiles: () => 0,
      log: () => '',
      alive: () => true,
      signal: () => {},
      origin: '',
      stop: async () => 0,
      kill: async () => {},
    };
    const place = await Place.on(rail, env, null, async () => ({ ...here, origin: rail.origin }));
    for (const statement of statements) await rail.query(statement);
    return place;
  };

const tiny = (open: OpenPlace, signal = new AbortController().signal) => ({
  minutes: 1,
  seed: 7,
  atMost: 8,
  open,
  signal,
  say: () => {},
});

describe('a tiny run of the fault suite', () => {
  it('loses nothing, and says how much of the full counts it tried', { tags: 'long' }, async () => {
    const report = await runAll([repeats, revocations], tiny(openAfter()));
    expect(report.results).toMatchObject([
      { name: 'repeats', outcome: 'held', tried: 8, full: 8, losses: [], counts: { 'ledger verified': 1 } },
      { name: 'revocations', outcome: 'held', tried: 8, losses: [], counts: { 'let in after a revocation': 0 } },
    ]);
    expect(codeOf(report)).toBe(0);
  });

  it('is red where an assessment is lost that was acknowledged', async () => {
    const report = await runAll([repeats], tiny(openAfter(...FORGET)));
    expect(report.results).toMatchObject([{ outcome: 'lost' }]);
    expect(report.results[0]!.losses).toContainEqual(expect.stringMatching(/^acknowledged and missing: ASMT-/));
    expect(codeOf(report)).toBe(1);
  });

  it('begins nothing once it is interrupted, and reports that', async () => {
    const report = await runAll([repeats], tiny(openAfter(), AbortSignal.abort()));
    expect(report.results).toMatchObject([{ outcome: 'not run', why: 'the run was interrupted before it', tried: 0 }]);
    expect(codeOf(report)).toBe(3);
  });
});

describe('clients and payment points', () => {
  it('say what was not answered for good', async () => {
    const gone = 'http://127.0.0.1:1';
    const payer = new Payer({ origins: [gone], key: 'x', citizen: 'x', services: [], patienceMs: 0 });
    await payer.pay();
    expect(payer.wrong).toEqual([expect.stringMatching(/^create: 0 /)]);
    const point = new PointBooks('bank', 0);
    expect(await point.take({ origins: () => [gone], random: () => 0.5 }, '1', 1)).toMatchObject({ intent: null });
    expect(point.wrong).toEqual([expect.stringMatching(/^bank: 0 /)]);
  });
});

describe('the plan', () => {
  it('is the same for a seed, of each scenario alone too', () => {
    const planned = plan(SCENARIOS, { seed: 11 });
    expect(plan(SCENARIOS, { seed: 11 })).toEqual(planned);
    expect(plan([SCENARIOS[3]!], { seed: 11 })).toEqual([planned[3]]);
    expect(plan(SCENARIOS, { seed: 12 }).map(({ seed }) => seed)).not.toEqual(planned.map(({ seed }) => seed));
    expect(new Set(planned.map(({ seed }) => seed)).size).toBe(SCENARIOS.length);
  });

  it('gives each scenario its share of the time, and what others leave', () => {
    const planned = plan(
      [
        { ...repeats, share: 1 },
        { ...revocations, share: 3 },
      ],
      { seed: 1 },
    );
    expect([shareOf(planned, 100), shareOf(planned.slice(1), 90)]).toEqual([25, 90]);
  });
});

describe('a report', () => {
  const result: Result = {
    name: 'repeats',
    title: 'A <title>',
    promise: 'Held.',
    unit: 'keys',
    tried: 1_200,
    full: 10_000,
    seconds: 3,
    outcome: 'held',
    counts: { requests: 6_000 },
    losses: [],
    why: null,
  };
  const report = (...results: Partial<Result>[]): Report => ({
    seed: 7,
    minutes: 20,
    startedAt: new Date(0),
    seconds: 3,
    results: results.map((one) => ({ ...result, ...one })),
  });

  it('is Markdown, JSON and a page that needs nothing else', () => {
    writeReport(
      folder,
      report(
        {},
        { name: 'full-disk', outcome: 'not run', why: 'it takes root' },
        { outcome: 'lost', losses: ['a & b'] },
      ),
    );
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(read('report.md')).toContain('| repeats | held | 1,200 of 10,000 keys | 0 | 3 |');
    expect(read('report.md')).toContain('> it takes root');
    expect(read('report.md')).toContain('npm run torture -- --minutes 20 --seed 7');
    expect(JSON.parse(read('report.json'))).toMatchObject({
      seed: 7,
      results: [{ counts: { requests: 6_000 } }, {}, {}],
    });
    expect(read('report.html')).toContain('A &#60;title&#62;');
    expect(read('report.html')).toContain('a &#38; b');
    expect(read('report.html')).not.toMatch(/(src|href)="(?!#)/);
  });

  it.each([
    ['held', 0],
    ['lost', 1],
    ['broke off', 1],
    ['not run', 3],
  ] as const)('with something that %s ends with %i', (outcome, code) => {
    expect(codeOf(report({}, { outcome }))).toBe(code);
    expect(codeOf(report({ outcome: 'not run' }, { outcome }))).toBe(code || 3);
  });
});

describe('the faults that are put into a copy of the product', () => {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

  it('have their text once in the product, and a scenario that is to find them', () => {
    for (const mutant of MUTANTS) expect(breakFile(read(mutant.file), mutant)).not.toBe(read(mutant.file));
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    const scenarios = SCENARIOS.map(({ name }) => name);
    expect(MUTANTS.filter(({ scenario }) => !scenarios.includes(scenario))).toEqual([]);
  });

  it('are refused where their text is not there, or twice', () => {
    const mutant = { ...MUTANTS[0]!, search: 'a' };
    for (const text of ['b', 'aa']) expect(() => breakFile(text, mutant)).toThrow('is not up to date');
  });
});

describe('npm run torture', () => {
  it('lists its scenarios, and refuses one that it does not have', async () => {
    expect(listScenarios().trim().split('\n')).toHaveLength(SCENARIOS.length);
    const signal = AbortSignal.abort();
    await expect(runSuite({ only: ['racers', 'mercy'], minutes: 1, seed: 1, folder, signal })).rejects.toThrow(
      /There is no scenario “mercy”; there are process-kills, /,
    );
  });
});
