import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { nameValue } from '../explore/names.ts';
import { drawPanel } from '../panel.ts';

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

/** What is collected of a part; each part has the value by which it is one. */
export interface PartRow
  extends Compared, Readonly<Record<Exclude<Part, 'agency' | 'service'> | 'agencyId' | 'serviceId', string | null>> {
  readonly agency: { readonly name: string } | null;
  readonly service: { readonly serviceName: string } | null;
}

/** A part of revenue, as the page shows it. */
interface ShownPart extends Compared {
  readonly name: string;
  /** Where it is taken apart itself. */
  readonly link: string | null;
}

/** How many bars a chart has at most. */
const MOST_BARS = 15;

export function chartParts(
  parts: readonly ShownPart[],
  currency: string,
  by: string,
  compared: boolean,
  { t }: Pick<Texts, 't'>,
): Chart | null {
  if (parts.length === 0) return null;
  return drawPanel({
    kind: 'bars',
    name: 'comparison',
    title: t(compared ? 'oversight.compared' : 'oversight.parts', { by }),
    description: t(compared ? 'oversight.comparedAbout' : 'oversight.partsAbout', { currency }),
    head: by,
    currency,
    rows: parts.slice(0, MOST_BARS),
    label: ({ name }) => name,
    link: ({ link }) => link,
    columns: [
      { name: t('oversight.current'), of: ({ current }) => current },
      compared ? { name: t('oversight.before'), of: ({ before }) => before, as: 'comparison' } : null,
    ],
  });
}

/** The value by which a row is a part. */
export function keyOf(row: PartRow, part: Part): string | null {
  if (part === 'agency') return row.agencyId;
  return part === 'service' ? row.serviceId : row[part];
}

/** What a part is called. */
export function nameOf(row: PartRow, part: Part, texts: Texts): string {
  const name = part === 'agency' ? row.agency?.name : part === 'service' ? row.service?.serviceName : null;
  return name ?? nameValue(part, keyOf(row, part), texts);
}

/** How parts are ordered, as the page names it: the largest, or those that gained or lost most, in money or as a share. */
const ORDERS: Readonly<Record<string, readonly [orderedBy: string, direction: string]>> = {
  current: ['value', 'desc'],
  gain: ['difference', 'desc'],
  loss: ['difference', 'asc'],
  growth: ['change', 'desc'],
  decline: ['change', 'asc'],
};

/** The same as the graph names it; what the page does not name is refused. */
export function orderOf(order: string | null): Readonly<Record<string, string>> {
  if (!order) return {};
  const [orderedBy, direction] = ORDERS[order] ?? [order];
  return { orderedBy, ...(direction && { direction }) };
}
