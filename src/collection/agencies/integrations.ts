import { offering } from '../../adapters/payment/aggregators.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Channel } from '../../generated/prisma/enums.ts';

/** Whether something outside is really connected, made up, or not to be had. */
type Standing = 'live' | 'sandbox' | 'unavailable';

interface Country {
  readonly identity: { readonly status: Standing };
  readonly fiscal: { readonly status: Standing };
  readonly payment: { readonly status: Standing; readonly channels: Channel[] }[];
}

/** What is connected in each country that has agencies, by its code. Names nothing of how. */
export async function integrations(call: Call): Promise<Record<string, Country>> {
  const rows = await call.db.rows<{ country: string }>(sql`select distinct country from mda where status = 'Active' order by country`);
  return Object.fromEntries(
    rows.map(({ country }) => [
      country,
      {
        identity: { status: agencyStanding(call, 'national identity authority', country) },
        fiscal: { status: agencyStanding(call, 'tax authority', country) },
        payment: paymentIn(call, country),
      },
    ]),
  );
}

/** The ways of paying by how they stand in a country. */
function paymentIn(call: Call, country: string): Country['payment'] {
  const byStanding = Map.groupBy(Object.values(Channel), (channel) => channelStanding(call, channel, country));
  return [...byStanding].map(([status, channels]) => ({ status, channels }));
}

/** What fails so often that it is left alone for a while is not to be had, whatever it is. */
function channelStanding({ aggregators, config }: Call, channel: Channel, country: string): Standing {
  const here = offering(aggregators, channel).filter((one) => one.country === null || one.country === country);
  const available = here.filter(({ adapter }) => adapter.available);
  if (available.length === 0) return 'unavailable';
  return available.every(({ adapter }) => adapter.stub) ? 'sandbox' : config.mode;
}

function agencyStanding({ agencies, config }: Call, kind: string, country: string): Standing {
  switch (agencies.standing(kind, country)) {
    case 'connected':
      return agencies.available(kind) ? config.mode : 'unavailable';
    case 'stub':
      return 'sandbox';
    case 'unconnected':
      return 'unavailable';
  }
}
