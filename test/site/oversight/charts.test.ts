import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleCharts } from '../../../src/app/development/bundle-charts.ts';
import { type Chart, formatOf, sliceChart } from '../../../src/site/charts/chart.ts';
import { Charts } from '../../../src/site/charts/place.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';

const HOSTILE = '</script><img src=x onerror=alert(1)> "عبد" & co';
const chart: Chart = {
  kind: 'lines',
  name: 'revenue',
  title: `Revenue of ${HOSTILE}`,
  description: 'It rose',
  head: 'Day',
  labels: ['1 Nov', HOSTILE, '3 Nov'],
  links: ['/oversight?day=1', null, null],
  unit: { currency: 'UGX' },
  series: [
    { name: HOSTILE, values: [1_000, 2_000_000, null] },
    { name: 'The period before', values: [500, 900, 700], as: 'comparison' },
  ],
};

async function fill(made: Chart): Promise<string> {
  const charts = new Charts(textsOf('en'), '/oversight?by=mda');
  return charts.fill(`<main>${charts.place(made)}</main>`);
}

describe('charts of pages', () => {
  it.each(['lines', 'stacked', 'bars'] as const)(
    'are drawn by the server as %s, without a style, with a title, with names as text',
    async (kind) => {
      const page = await fill({ ...chart, kind });
      expect(page.match(/<svg role="img"/g)).toHaveLength(2);
      expect(page).not.toMatch(/<style|\sstyle=|\sclass="zr|ecmeta|<img/);
      expect(page.match(/<\/script>/g)).toHaveLength(1);
      expect(page).toMatch(/<title id="revenue-wide-title">Revenue of &lt;\/script&gt;/);
      expect(page).toContain('fill="var(--');
      expect(page).not.toMatch(/NaN|undefined/);
      expect(new Set(page.match(/\bid="[^"]+"/g)).size).toBe(page.match(/\bid="[^"]+"/g)!.length);
    },
  );

  it('have the same figures as a table, which leads on', async () => {
    const page = await fill(chart);
    expect(page).toContain('<a href="/oversight?day=1"><bdi>1 Nov</bdi></a>');
    expect(page).toContain('<td class="amount">UGX\u00a02,000,000</td>');
    expect(page).toContain('<td class="amount">–</td>');
    expect(page).toContain('href="/oversight?by=mda&amp;format=svg&amp;part=revenue"');
  });

  it('are files too, which know their colours', async () => {
    const charts = new Charts(textsOf('fr'), '/oversight');
    charts.place(chart);
    const picture = await charts.draw(charts.find('revenue')!);
    expect(picture).toMatch(/^<svg role="img"[^>]* width="760" height="300"/);
    expect(picture).not.toContain('var(--');
    expect(charts.find('other')).toBeUndefined();
  });

  it('tell bars apart by patterns too, which the key and the file have', async () => {
    const series = ['High', 'Medium', 'Low'].map((name) => ({ name, values: [1, 2, 3] }));
    const made: Chart = { ...chart, kind: 'stacked', name: 'found', series };
    const turnsOf = (svg: string) =>
      [...svg.matchAll(/<pattern [^>]*>/g)].map(
        ([pattern]) =>
          `${pattern.match(/ width="\d+" height="\d+"/)?.[0]} ${pattern.match(/rotate\(-?\d+\)/)?.[0] ?? 'rotate(0)'}`,
      );
    const page = await fill(made);
    const [key, wide, narrow] = page.split(/<svg role="img"/);
    expect(turnsOf(key!)).toEqual([' width="12" height="6" rotate(45)', ' width="6" height="6" rotate(0)']);
    for (const picture of [wide!, narrow!]) expect(turnsOf(picture)).toEqual(turnsOf(key!));
    for (const [, id] of page.matchAll(/url\(#([^)]+)\)/g)) expect(page).toContain(`id="${id}"`);
    const ids = page.match(/\bid="[^"]+"/g)!;
    expect(new Set(ids).size).toBe(ids.length);
    const charts = new Charts(textsOf('en'), '/oversight');
    charts.place(made);
    const file = await charts.draw(charts.find('found')!);
    expect(turnsOf(file)).toEqual(turnsOf(key!));
    expect(file).not.toMatch(/var\(--|\sstyle=/);
    // Bars that nothing has to be told from are plain.
    expect(await fill({ ...made, series: series.slice(0, 1) })).not.toContain('<pattern');
  });

  it('write figures as their unit has them', () => {
    const write = (unit: Chart['unit'], value: number, short = false) =>
      formatOf({ unit, language: 'en', digits: unit === 'percent' ? 0 : 2 }, short)(value);
    expect(write({ currency: 'KES' }, 1_234.5)).toBe('KES\u00a01,234.50');
    expect(write({ currency: 'KES' }, 1_234_567, true)).toBe('1.2M');
    expect(write('percent', 0.125)).toBe('12.5%');
    expect(write('seconds', 4.25)).toBe('4.3 sec');
    expect(write('count', 12)).toBe('12');
  });

  it('count in whole steps, no further than there is something to count', async () => {
    for (const kind of ['stacked', 'bars'] as const) {
      const series = [{ name: 'Anomalies', values: [3, 1, 2] }];
      const [picture] = (await fill({ ...chart, kind, labels: ['a', 'b', 'c'], unit: 'count', series })).split(
        '</svg>',
      );
      const written = [...picture!.matchAll(/<text[^>]*>(\d+)</g)].map(([, text]) => Number(text));
      expect(new Set(written), kind).toEqual(new Set([0, 1, 2, 3]));
    }
  });

  it('show a stretch of their time', () => {
    const drawn = { ...chart, language: 'en', digits: 0, series: chart.series.map((one) => ({ ...one, tone: 0 })) };
    const part = sliceChart(drawn, 1, 2);
    expect(part.labels).toEqual([HOSTILE, '3 Nov']);
    expect(part.series.map(({ values }) => values)).toEqual([
      [2_000_000, null],
      [900, 700],
    ]);
  });

  it('are drawn in browsers by the script that is in the repository', async () => {
    const kept = readFileSync(new URL('../../../src/generated/charts.js', import.meta.url), 'utf8');
    expect((await bundleCharts()) === kept, 'npm run charts:bundle').toBe(true);
  });
});
