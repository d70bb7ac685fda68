import { LRUCache } from 'lru-cache';
import { isOfFigures } from '../../oversight/views/save.ts';
import { minorDigitsOf } from '../../kernel/money.ts';
import type { Texts } from '../languages/texts.ts';
import { render } from '../templates.ts';
import { type Chart, type Drawn, formatOf } from './chart.ts';
import type { Sum } from './sum.ts';
import { isColumns } from './kinds/over-time.ts';
import { IN_FILE, ON_PAGE, SHAPE_PATHS, WIDTHS, decalOf, shapeOf, toneOf } from './look.ts';

const LETTERS = /^[a-z][a-z0-9-]*$/i;

/**
 * Drawings of charts by all that is in them, which takes longer than the rest of their page: another with the same
 * figures has the same.
 */
const drawings = new LRUCache<string, string>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (svg, drawn) => 2 * (svg.length + drawn.length),
});

/** The charts of a page: its template says where they stand, and they are drawn once it is written. */
export class Charts {
  readonly #placed: Drawn[] = [];
  readonly #sums: Sum[] = [];
  /** Subject of the page, if that is more than its name. */
  title: string | null = null;
  readonly #texts: Texts;
  readonly #address: string;

  constructor(texts: Texts, address: string) {
    this.#texts = texts;
    this.#address = address;
  }

  get isEmpty(): boolean {
    return this.#placed.length === 0;
  }

  /** Places a chart, for a template. */
  readonly place = (chart: Chart): string => {
    if (!LETTERS.test(chart.name)) throw new Error(`${chart.name} is no name of a chart`);
    const digits = typeof chart.unit === 'object' ? minorDigitsOf(chart.unit.currency) : 0;
    const series = chart.series.map((one, index) => ({ ...one, tone: one.tone ?? index }));
    const last = chart.labels.length - 1;
    const labels = chart.running
      ? chart.labels.with(last, this.#texts.t('chart.soFar', { step: chart.labels[last] }))
      : chart.labels;
    this.#placed.push({ ...chart, labels, series, digits, language: this.#texts.language });
    return `<!--chart ${this.#placed.length - 1}-->`;
  };

  /** The figures that the page begins with, for a template. */
  readonly sum = (sums: readonly Sum[], title: string | null = null): string => {
    this.#sums.push(...sums);
    this.title ??= title;
    return render('frame/figures/sums', { sums });
  };

  /** A page with its charts. */
  async fill(page: string): Promise<string> {
    if (this.isEmpty) return page;
    // As much code as all the rest of the rail: read once somebody looks at a chart.
    const { drawChart } = await import('../../generated/charts.js');
    return page.replace(/<!--chart (\d+)-->/g, (_whole, index: string) => {
      const chart = this.#placed[Number(index)]!;
      const data = JSON.stringify(chart);
      const draw = (size: keyof typeof WIDTHS): string => {
        const known = drawings.get(size + data);
        const drawing = known ?? drawChart(chart, ON_PAGE, WIDTHS[size], `${chart.name}-${size}`);
        drawings.set(size + data, drawing);
        return drawing;
      };
      return render('frame/figures/chart', {
        ...this.#texts,
        chart,
        key: keyOf(chart),
        wide: draw('wide'),
        narrow: draw('narrow'),
        // A script ends at nothing that is in it.
        data: data.replaceAll('<', '\\u003c'),
        show: formatOf(chart),
        file: this.#fileOf(chart),
        embed: isOfFigures(this.#address)
          ? `/figures/charts?${new URLSearchParams({ page: this.#address, chart: chart.name, title: chart.title })}`
          : null,
      });
    });
  }

  /** Sums at the beginning of the page. */
  get sums(): readonly Sum[] {
    return this.#sums;
  }

  /** The figures of its charts, in their order. */
  get drawn(): readonly Drawn[] {
    return this.#placed;
  }

  /** The chart of a name, or the first of the page; undefined where it has none. */
  find(name: string | null): Drawn | undefined {
    return this.#placed.find((one) => name === null || one.name === name);
  }

  /** A chart as a file of its own. */
  async draw(chart: Drawn): Promise<string> {
    const { drawChart } = await import('../../generated/charts.js');
    return drawChart(chart, IN_FILE, WIDTHS.wide, chart.name);
  }

  #fileOf({ name }: Chart): string {
    const { pathname, searchParams } = new URL(this.#address, 'http://page');
    searchParams.set('format', 'svg');
    searchParams.set('part', name);
    return `${pathname}?${searchParams.toString()}`;
  }
}

/** Legend of a chart's colours, patterns and dashes; empty if it has but one. */
function keyOf(chart: Drawn) {
  const { kind, series } = chart;
  if (series.length < 2) return [];
  const several = series.filter(({ as }) => !as).length > 1;
  return series.map(({ name, tone, as = null }) => {
    const told = several && !as;
    const standing = isColumns(chart);
    const shape = told && kind === 'lines' && !standing ? SHAPE_PATHS[shapeOf(tone)] : null;
    const decal = told && standing ? decalOf(tone) : null;
    return { name, tone, as, shape, decal, colour: toneOf(ON_PAGE, tone) };
  });
}
