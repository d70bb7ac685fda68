import { GraphQLBoolean, GraphQLInt, GraphQLString } from 'graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../graphql/scalars.ts';
import type { Column } from '../../../graphql/files/rows.ts';
import type { Rail } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';

interface DescribedColumn extends Column {
  readonly description: string;
}

/** The columns of the files. None leads to a person. */
export const COLUMNS: readonly DescribedColumn[] = [
  { name: 'event', type: GraphQLString, description: 'The docname of the payment event.' },
  { name: 'occurred_at', type: DateTimeScalar, description: 'Time at which it was paid or reversed (UTC).' },
  { name: 'local_day', type: DateScalar, description: "The day by the clock of the agency's country." },
  { name: 'local_hour', type: GraphQLInt, description: 'The hour by that clock, 0 to 23.' },
  { name: 'kind', type: GraphQLString, description: '`payment` or `reversal`.' },
  { name: 'agency', type: GraphQLString, description: 'The code of the agency that was paid.' },
  { name: 'agency_name', type: GraphQLString, description: 'Its name when the file was written.' },
  { name: 'time_zone', type: GraphQLString, description: "The agency's time zone (IANA) when the file was written." },
  {
    name: 'service',
    type: GraphQLString,
    description: 'The code of the service that was paid for; null for what no line of the assessment explains.',
  },
  { name: 'service_id', type: GraphQLString, description: 'The docname of the service.' },
  { name: 'service_name', type: GraphQLString, description: 'Its name when the file was written.' },
  { name: 'sector', type: GraphQLString, description: 'The sector of the service when the file was written.' },
  { name: 'family', type: GraphQLString, description: 'The family of the service when the file was written.' },
  { name: 'channel', type: GraphQLString, description: 'The payment channel, such as `mtn_momo`.' },
  { name: 'station', type: GraphQLString, description: 'Place of collection: `counter`, `integrator` or `other`.' },
  {
    name: 'counter',
    type: GraphQLString,
    description: "The code of the counter's agency and the counter's label; null for what no counter took.",
  },
  { name: 'provider', type: GraphQLString, description: 'The payment provider that collected it.' },
  { name: 'currency', type: GraphQLString, description: 'The currency of the amount (ISO 4217).' },
  { name: 'amount', type: DecimalScalar, description: 'Amount paid for the service; below zero for a reversal.' },
  {
    name: 'event_amount',
    type: DecimalScalar,
    description: 'Amount of the whole event, repeated in each of its rows.',
  },
  { name: 'quantity', type: GraphQLInt, description: 'The number of pieces of the service.' },
  {
    name: 'first_part',
    type: GraphQLBoolean,
    description: 'True for one row of each event: count these to count payments.',
  },
];

interface Part {
  readonly occurred_at: Date;
  readonly local_day: Date;
  readonly amount: Decimal;
  readonly event_amount: Decimal;
}

/** Positions of the stream of oversight, those after `since` up to `upTo`. */
export interface Positions {
  readonly since: number;
  readonly upTo: number;
}

/** The first day of the month after that of a day. */
export function monthAfter(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1));
}

/**
 * The parts of the payment events of a month (UTC) at these positions, a day at a time: what each paid of each service,
 * in the order of the stream.
 */
export async function* readParts(
  { oversight }: Pick<Rail, 'oversight'>,
  month: Date,
  { since, upTo }: Positions,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  const end = monthAfter(month).getTime();
  for (let day = month.getTime(); day < end; day += DAY_MS) {
    const parts = await oversight.rows<Part>(
      sql`
      select p.event, p.occurred_at, p.local_day, p.local_hour, p.kind::text, p.mda as agency,
        a.mda_name as agency_name, a.time_zone, s.code as service, nullif(p.service, '') as service_id, s.service_name,
        s.sector, s.family, p.channel::text, p.station, p.counter, p.provider, p.currency, p.amount,
        p.event_amount, p.quantity, p.leads as first_part
      from oversight.payment_part p join oversight.agency a on a.mda = p.mda
      left join oversight.service s on s.service = p.service
      where p.occurred_at >= ${new Date(day)}::timestamptz and p.occurred_at < ${new Date(day + DAY_MS)}::timestamptz
        and p.position > ${since} and p.position <= ${upTo}
      order by p.position, p.service`,
      'each time',
    );
    yield parts.map((part) => ({
      ...part,
      occurred_at: part.occurred_at.toISOString(),
      local_day: formatDay(part.local_day),
      // To their last digit, which not every number has.
      amount: part.amount.toFixed(),
      event_amount: part.event_amount.toFixed(),
    }));
  }
}
