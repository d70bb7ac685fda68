import { type Drawn, formatOf } from '../chart.ts';
import { FONT, type Look, toneOf } from '../look.ts';
import { STILL } from './axes.ts';

/** What treemaps put together: a colour each. */
export function groupsOf({ groups, labels }: Pick<Drawn, 'groups' | 'labels'>): string[] {
  return [...new Set(groups ?? labels)];
}

/** Areas as large as their share of the whole; what is nothing or less has none. */
export function treemap(chart: Drawn, look: Look) {
  const format = formatOf(chart, true);
  const groups = groupsOf(chart);
  const leaves = chart.labels.flatMap((name, index) => {
    const value = chart.series[0]?.values[index] ?? 0;
    const group = chart.groups?.[index] ?? name;
    return value > 0 ? [{ name, value, group, index }] : [];
  });
  return {
    series: [
      {
        ...STILL,
        silent: false,
        type: 'treemap' as const,
        roam: false,
        nodeClick: false as const,
        breadcrumb: { show: false },
        left: 0,
        right: 0,
        top: 0,
        bottom: 0,
        itemStyle: { gapWidth: 2, borderWidth: 0, borderColor: look.paper },
        label: {
          ...FONT,
          color: look.on,
          position: [6, 6],
          lineHeight: 16,
          overflow: 'truncate' as const,
          formatter: ({ name, value }: { name: string; value?: unknown }) => `${name}\n${format(Number(value))}`,
        },
        data: groups.map((group, tone) => ({
          name: group,
          itemStyle: { color: toneOf(look, tone), borderColor: look.paper, gapWidth: 2 },
          children: leaves
            .filter((leaf) => leaf.group === group)
            .map(({ name, value, index }) => ({ name, value, index, itemStyle: { color: toneOf(look, tone) } })),
        })),
      },
    ],
  };
}
