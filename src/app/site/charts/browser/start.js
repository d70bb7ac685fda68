// Brings the charts of a page to life, from the figures that stand beside them: tips, a key that hides and shows, and
// a stretch of time that is marked with the pointer.
import { TooltipComponent } from 'echarts/components';
import { sliceChart } from '../chart.ts';
import { init, use } from '../echarts.ts';
import { ON_PAGE } from '../look.ts';
import { heightOf, optionsOf } from '../options.ts';
import { markStretch } from './mark.js';
import { savePicture } from './save.js';
import { tipOf } from './tip.js';

use([TooltipComponent]);

/** @param {HTMLElement} figure */
function enliven(figure) {
  const whole = JSON.parse(figure.querySelector('script').textContent);
  const plot = figure.querySelector('.plot');
  const all = figure.querySelector('[data-whole]');
  const hidden = new Set();
  let stretch = null;
  const stage = document.createElement('div');
  stage.className = 'stage';
  // Whoever does not see it has the title, the description and the table.
  stage.setAttribute('aria-hidden', 'true');
  plot.append(stage);
  figure.classList.add('alive');
  const shown = () => {
    const part = stretch ? sliceChart(whole, ...stretch) : whole;
    return { ...part, series: part.series.filter(({ tone }) => !hidden.has(tone)) };
  };
  let picture = null;
  const draw = () => {
    const width = plot.clientWidth;
    if (!width) return;
    const chart = shown();
    const height = heightOf(chart, width);
    picture ??= init(stage, null, { renderer: 'svg', width, height });
    picture.resize({ width, height });
    picture.setOption({ ...optionsOf(chart, ON_PAGE, width), tooltip: tipOf(chart, ON_PAGE) }, { notMerge: true });
  };
  draw();
  new ResizeObserver(draw).observe(plot);

  if (whole.kind !== 'treemap')
    for (const entry of figure.querySelectorAll('.key li')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'link';
      button.setAttribute('aria-pressed', 'true');
      button.append(...entry.childNodes);
      entry.append(button);
      button.addEventListener('click', () => {
        const tone = Number(entry.dataset.tone);
        if (!hidden.delete(tone)) hidden.add(tone);
        button.setAttribute('aria-pressed', String(!hidden.has(tone)));
        draw();
      });
    }

  const show = (next) => {
    stretch = next;
    all.hidden = next === null;
    draw();
  };
  all.addEventListener('click', () => show(null));
  if (whole.kind === 'lines' || whole.kind === 'stacked')
    markStretch(
      stage,
      (x) => picture?.convertFromPixel({ xAxisIndex: 0 }, x),
      ([from, to]) => {
        const start = stretch?.[0] ?? 0;
        const last = shown().labels.length - 1;
        const [first, end] = [Math.max(0, from), Math.min(last, to)];
        if (end > first) show([start + first, start + end]);
      },
    );
  const follow = (index) => {
    const link = whole.links?.[index];
    if (link) location.assign(link);
  };
  if (whole.kind === 'bars')
    picture?.getZr().on('click', ({ offsetY }) => follow(picture.convertFromPixel({ yAxisIndex: 0 }, offsetY)));
  if (whole.kind === 'treemap') picture?.on('click', ({ data }) => follow(data?.index));
}

const begin = () => {
  for (const figure of document.querySelectorAll('[data-chart]:not(.alive)')) enliven(figure);
};
begin();
// Parts of a page that are live are put anew.
new MutationObserver(begin).observe(document.querySelector('main'), { childList: true, subtree: true });

document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.png) void savePicture(target.dataset.png);
});
