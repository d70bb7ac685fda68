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
  const byStanding = Map.groupBy(Object.values(Channel), (channel) => channelStanding(call, channel));
  const payment = [...byStanding].map(([status, channels]) => ({ status, channels }));
  return Object.fromEntries(
    rows.map(({ country }) => [
      country,
      {
        identity: { status: agencyStanding(call, 'national identity authority', country) },
        fiscal: { status: agencyStanding(call, 'tax authority', country) },
        payment,
      },
    ]),
  );
}

/** What fails so often that it is left alone for a while is not to be had, whatever it is. */
function channelStanding({ channels, config }: Call, name: Channel): Standing {
  const channel = channels[name];
  if (!channel?.available) return 'unavailable';
  return channel.stub ? 'sandbox' : config.mode;
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
