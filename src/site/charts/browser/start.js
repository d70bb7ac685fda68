// Brings the charts of a page to life, from the figures next to them: tips, a key that hides and shows, and
// a stretch of time that is marked with the pointer or by keys.
import { TooltipComponent } from 'echarts/components';
import { formatOf, sliceChart } from '../chart.ts';
import { init, use } from '../echarts.ts';
import { ON_PAGE } from '../look.ts';
import { heightOf, optionsOf } from '../options.ts';
import { steer } from './keys.js';
import { addBand, markStretch } from './mark.js';
import { savePicture } from './save.js';
import { tipOf } from './tip.js';

use([TooltipComponent]);

export { drawChart } from '../draw.ts';

/** @param {HTMLElement} figure */
function enliven(figure) {
  const whole = JSON.parse(figure.querySelector('script').textContent);
  const plot = figure.querySelector('.plot');
  const all = figure.querySelector('[data-whole]');
  const hidden = new Set();
  let stretch = null;
  const stage = document.createElement('div');
  stage.className = 'stage';
  const canvas = document.createElement('div');
  // Whoever does not see it has the title, the description, the table, and what the keys read out.
  canvas.setAttribute('aria-hidden', 'true');
  stage.append(canvas);
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
    picture ??= init(canvas, null, { renderer: 'svg', width, height });
    picture.resize({ width, height });
    picture.setOption({ ...optionsOf(chart, ON_PAGE, width), tooltip: tipOf(chart, ON_PAGE) }, { notMerge: true });
  };
  draw();
  new ResizeObserver(draw).observe(plot);

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
  /** Shows closely what is a stretch of what is shown already. */
  const zoom = ([from, to]) => {
    const start = stretch?.[0] ?? 0;
    const [first, end] = [Math.max(0, from), Math.min(shown().labels.length - 1, to)];
    if (end > first) show([start + first, start + end]);
  };
  const overTime = whole.kind === 'lines' || whole.kind === 'stacked';
  const layBand = overTime ? addBand(stage) : () => false;
  if (overTime) markStretch(stage, layBand, (x) => picture?.convertFromPixel({ xAxisIndex: 0 }, x), zoom);
  const follow = (index) => {
    const link = whole.links?.[index];
    if (link) location.assign(link);
  };
  if (whole.kind === 'bars')
    picture?.getZr().on('click', ({ offsetY }) => follow(picture.convertFromPixel({ yAxisIndex: 0 }, offsetY)));
  letKeysSteer();

  function letKeysSteer() {
    const readout = figure.querySelector('[data-readout]');
    const help = figure.querySelector('[data-keys]');
    stage.tabIndex = 0;
    stage.setAttribute('role', 'application');
    stage.setAttribute('aria-label', whole.title);
    stage.setAttribute('aria-describedby', help.id);
    help.hidden = false;
    const format = formatOf(whole);
    const say = (words, [from, to]) => {
      const { labels } = shown();
      readout.textContent = words.replace('{from}', labels[from]).replace('{to}', labels[to]);
    };
    const sayShown = () => say(readout.dataset.shown, [0, shown().labels.length - 1]);
    steer(stage, {
      overTime,
      count: () => shown().labels.length,
      point: (index) => {
        const { labels, series } = shown();
        const figures = series.map(({ name, values }) => {
          const value = values[index];
          return `${name} ${value == null ? '–' : format(value)}`;
        });
        readout.textContent = `${labels[index]}: ${figures.join('; ')}`;
        picture?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: index });
      },
      leave: () => {
        readout.textContent = '';
        picture?.dispatchAction({ type: 'hideTip' });
      },
      mark: (marked) => {
        const [from, to] = marked?.map((index) => picture?.convertToPixel({ xAxisIndex: 0 }, index)) ?? [null, null];
        if (layBand(from, to)) say(readout.dataset.marked, marked);
      },
      zoom: (next) => {
        zoom(next);
        sayShown();
      },
      widen: () => {
        if (!stretch) return;
        const [from, to] = stretch;
        const more = Math.ceil((to - from) / 2);
        const next = [Math.max(0, from - more), Math.min(whole.labels.length - 1, to + more)];
        show(next[1] - next[0] === whole.labels.length - 1 ? null : next);
        sayShown();
      },
      whole: () => {
        if (!stretch) return false;
        show(null);
        sayShown();
        return true;
      },
      follow,
    });
  }
}

function begin() {
  for (const figure of document.querySelectorAll('[data-chart]:not(.alive)')) enliven(figure);
}

// The server draws pictures by this script too.
if (globalThis.document) {
  begin();
  // Parts of a page that are live are put anew.
  new MutationObserver(begin).observe(document.querySelector('main'), { childList: true, subtree: true });

  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLElement && target.dataset.png) void savePicture(target.dataset.png);
  });
}
