/** What of an event a sum is kept by, beside its day and its currency. */
export type Column = 'mda' | 'service' | 'channel' | 'station' | 'counter' | 'integrator' | 'hour';

/**
 * Sums of payment events that are kept. Each is of one UTC day and one day of the agency's country, or of one month of
 * both, and where there is an hour, of one of both clocks.
 */
export interface Rollup {
  readonly table: string;
  readonly period: 'day' | 'month';
  /** In the order of the table's key. */
  readonly columns: readonly Column[];
}

/**
 * All of them, the one with the fewest rows first of those that answer the same. Those without an agency are of the
 * whole country: a busy second changes a handful of their rows, however many payments it has.
 */
export const ROLLUPS = [
  { table: 'channel_revenue_daily', period: 'day', columns: ['station', 'channel'] },
  { table: 'revenue_hourly', period: 'day', columns: ['hour'] },
  { table: 'agency_total_monthly', period: 'month', columns: ['mda'] },
  { table: 'agency_total_daily', period: 'day', columns: ['mda'] },
  { table: 'revenue_monthly', period: 'month', columns: ['mda', 'station', 'channel'] },
  { table: 'revenue_daily', period: 'day', columns: ['mda', 'station', 'channel'] },
  { table: 'place_revenue_monthly', period: 'month', columns: ['station', 'counter', 'integrator', 'channel'] },
  { table: 'place_revenue_daily', period: 'day', columns: ['station', 'counter', 'integrator', 'channel'] },
  { table: 'service_total_monthly', period: 'month', columns: ['mda', 'service'] },
  { table: 'service_total_daily', period: 'day', columns: ['mda', 'service'] },
  { table: 'service_revenue_monthly', period: 'month', columns: ['mda', 'service', 'channel'] },
  { table: 'service_revenue_daily', period: 'day', columns: ['mda', 'service', 'channel'] },
] as const satisfies readonly Rollup[];

/** Whether events count once for each service that they pay, and not once each. */
export const isByService = ({ columns }: Rollup): boolean => columns.includes('service');

/** The columns of a rollup's key, as they are called. */
export function keyOfRollup({ columns }: Rollup): readonly string[] {
  const named = columns.flatMap((column) => (column === 'hour' ? ['hour', 'local_hour'] : [column]));
  return ['day', 'local_day', ...named, 'currency'];
}
