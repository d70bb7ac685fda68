import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeActor } from '../../harness/flow.ts';
import { pageAt } from '../../harness/pages.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const read = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');
const rules = read('prometheus/rules.yaml');
const dashboard = JSON.parse(read('grafana/revenue-rail.json')) as {
  panels: { type: string; title: string; description?: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** The alerts, each with its text. */
const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.split('\n')[0]!, text }));
/** Each series of a query is named with its labels. */
const metricsIn = (text: string) => new Set([...text.matchAll(/(\w+)\{/g)].map(([, name]) => name!));
/** Metrics that Prometheus makes itself. */
const OWN = new Set(['up', 'ALERTS']);

/** Metrics that the rail exposes, with the series of its histograms. */
async function exposed(): Promise<Set<string>> {
  await (await makeActor(rail)).ask('/v1/assessments');
  const { text } = await rail.ask('/metrics');
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name! + end) : [name!],
    ),
  );
}

describe('alerts and dashboards', () => {
  it('name metrics that the rail has', async () => {
    const known = await exposed();
    const named = metricsIn(rules).union(
      metricsIn(panels.flatMap(({ targets }) => targets!.map(({ expr }) => expr)).join('\n')),
    );
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !known.has(name) && !OWN.has(name))).toEqual([]);
  });

  it('cover what the rail has of its own, which operators are told', async () => {
    const own = [...(await exposed())].filter((name) => !/^(nodejs|process)_|_(count|sum)$/.test(name));
    const shown = metricsIn(read('grafana/revenue-rail.json'));
    const { text } = pageAt('docs/operators.md');
    expect(own.filter((name) => !text.includes(`\`${name.replace(/_bucket$/, '')}\``))).toEqual([]);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each(alerts)('$name has a severity, what is to be read, and a paragraph of the runbook', ({ name, text }) => {
    expect(text).toMatch(/^ {10}severity: (critical|warning)$/m);
    for (const annotation of ['summary', 'description'])
      expect(text).toMatch(new RegExp(`^ {10}${annotation}: \\S`, 'm'));
    expect(text).toContain(`runbook_url: docs/runbook.md#${name.toLowerCase()}\n`);
    const paragraph = pageAt('docs/runbook.md')
      .text.split(/^### /m)
      .find((one) => one.startsWith(`${name}\n`));
    const [, severity] = /severity: (\w+)/.exec(text)!;
    expect(paragraph).toContain(`\n\`${severity}\`. `);
    for (const part of ['What it means.', 'What to do.', 'What not to do.'])
      expect(paragraph).toContain(`**${part}** `);
  });

  it('have no paragraph too many, and a test of each alert that fires and of when it does not', () => {
    const paragraphs = [...pageAt('docs/runbook.md').text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading!);
    const names = alerts.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(paragraphs.toSorted()).toEqual(names.toSorted());
    const tests = read('prometheus/rules.test.yaml');
    const tested = [...tests.matchAll(/- name: (.*)$/gm)].map(([, name]) => name!);
    expect(tested.toSorted()).toEqual(names.flatMap((name) => [`${name} does not fire`, `${name} fires`]).toSorted());
  });

  it('have panels that say what they show', () => {
    for (const { title, description, targets } of panels)
      expect([title, description, targets!.length > 0]).toEqual([title, expect.stringMatching(/\.$/), true]);
  });
});
