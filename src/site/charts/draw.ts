import type { Drawn } from './chart.ts';
import type { Look } from './look.ts';
import { init } from './echarts.ts';
import { heightOf, optionsOf } from './options.ts';
import { tidySvg } from './svg.ts';

/** Draws a chart as SVG. `id` begins the identifiers of its parts. */
export function drawChart(chart: Drawn, look: Look, width: number, id: string): string {
  const picture = init(null, null, { renderer: 'svg', ssr: true, width, height: heightOf(chart, width) });
  try {
    picture.setOption(optionsOf(chart, look, width));
    return tidySvg(picture.renderToSVGString(), { id, title: chart.title, description: chart.description });
  } finally {
    picture.dispose();
  }
}
