import { formatOf } from '../chart.ts';

/** The tip next to the pointer: made of elements, since a page with a strict policy takes no styles as text. */
export function tipOf(chart, look) {
  const format = formatOf(chart);
  return {
    trigger: 'axis',
    confine: true,
    className: 'tip',
    borderWidth: 0,
    padding: 0,
    backgroundColor: 'transparent',
    axisPointer: {
      type: chart.kind === 'lines' ? 'line' : 'shadow',
      lineStyle: { color: look.quiet },
      shadowStyle: { color: look.ink, opacity: 0.08 },
    },
    formatter: (hit) => {
      const points = [hit].flat();
      const tip = document.createElement('div');
      const head = document.createElement('strong');
      head.textContent = points[0]?.name ?? '';
      tip.append(head);
      const say = (value) => (value == null || Number.isNaN(value) ? '–' : format(Number(value)));
      for (const { name, values } of chart.series) {
        const line = document.createElement('div');
        line.textContent = `${name}: ${say(values[points[0]?.dataIndex])}`;
        tip.append(line);
      }
      return tip;
    },
  };
}
