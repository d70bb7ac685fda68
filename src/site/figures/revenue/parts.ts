import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';

/** What was collected, compared with other periods. */
export interface Compared {
  readonly currency: string;
  readonly current: number;
  readonly before: number;
  readonly yearAgo: number;
  readonly difference: number;
  readonly changeOnBefore: number | null;
  readonly changeOnYearAgo: number | null;
}

export interface PartRow extends Compared {
  readonly agencyId: string | null;
  readonly agency: { readonly name: string } | null;
  readonly sector: string | null;
  readonly family: string | null;
  readonly serviceId: string | null;
  readonly service: { readonly serviceName: string } | null;
  readonly channel: string | null;
  readonly country: string | null;
  readonly region: string | null;
  readonly district: string | null;
  readonly station: string | null;
}

/** By what revenue is taken apart on the page, and the filter that goes with it: from the whole to its parts. */
export const PARTS = [
  'sector',
  'family',
  'service',
  'agency',
  'channel',
  'station',
  'country',
  'region',
  'district',
] as const;
export type Part = (typeof PARTS)[number];

/** A part of revenue, as the page shows it. */
export interface ShownPart extends Compared {
  readonly key: string | null;
  readonly name: string;
  /** Its part of all of the currency; null where that is not more than nothing. */
  readonly share: number | null;
  /** Where it is taken apart itself. */
  readonly link: string | null;
  /** Where it is said why it rose or fell; null where there is nothing to compare with. */
  readonly why: string | null;
}

/** How many bars a chart has at most. */
export const MOST_BARS = 15;

export function chartParts(
  parts: readonly ShownPart[],
  currency: string,
  by: string,
  compared: boolean,
  { t }: Pick<Texts, 't'>,
): Chart | null {
  if (parts.length === 0) return null;
  return {
    kind: 'bars',
    name: 'comparison',
    title: t(compared ? 'oversight.compared' : 'oversight.parts', { by }),
    description: t(compared ? 'oversight.comparedAbout' : 'oversight.partsAbout', { currency }),
    head: by,
    labels: parts.map(({ name }) => name),
    links: parts.map(({ link }) => link),
    unit: { currency },
    series: [
      { name: t('oversight.current'), values: parts.map(({ current }) => current) },
      ...(compared
        ? [{ name: t('oversight.before'), values: parts.map(({ before }) => before), as: 'comparison' as const }]
        : []),
    ],
  };
}

/** The value by which a row is a part. */
export function keyOf(row: PartRow, part: Part): string | null {
  if (part === 'agency') return row.agencyId;
  return part === 'service' ? row.serviceId : row[part];
}

/** What a part is called. */
export function nameOf(row: PartRow, part: Part, texts: Pick<Texts, 't' | 'has' | 'language'>): string {
  const key = keyOf(row, part);
  if (key === null) return texts.t('oversight.none');
  if (part === 'agency') return row.agency?.name ?? key;
  if (part === 'service') return row.service?.serviceName ?? key;
  return nameKey(key, part, texts);
}

/** What the part of a key is called. */
export function nameKey(key: string, part: Part, { t, has, language }: Pick<Texts, 't' | 'has' | 'language'>): string {
  if (part === 'channel') return t(`channel.${key}`);
  if (part === 'station') return t(`oversight.station.${key}`);
  if (part === 'country') return new Intl.DisplayNames(language, { type: 'region' }).of(key) ?? key;
  return has(`${part}.${key}`) ? t(`${part}.${key}`) : key;
}

/** How parts are ordered, as the page names it: the largest, or those that gained or lost most, in money or as a share. */
const ORDERS: Readonly<Record<string, { readonly orderedBy: string; readonly direction: string }>> = {
  current: { orderedBy: 'value', direction: 'desc' },
  gain: { orderedBy: 'difference', direction: 'desc' },
  loss: { orderedBy: 'difference', direction: 'asc' },
  growth: { orderedBy: 'change', direction: 'desc' },
  decline: { orderedBy: 'change', direction: 'asc' },
};

/** The same as the graph names it; what the page does not name is refused. */
export function orderOf(order: string | null): Readonly<Record<string, string>> {
  if (!order) return {};
  return ORDERS[order] ?? { orderedBy: order };
}
