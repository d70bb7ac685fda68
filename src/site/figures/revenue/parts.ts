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

/** Orders of parts, by name on the page: the largest, or those that gained or lost most, in money or as a share. */
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
