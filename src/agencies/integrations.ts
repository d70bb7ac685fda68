import type { Call } from '../call.ts';
import { sql } from '../database/sql.ts';
import { Channel } from '../generated/prisma/enums.ts';

/** Whether something outside is really connected, made up, or not to be had. */
type Standing = 'live' | 'sandbox' | 'unavailable';

interface Country {
  readonly identity: { readonly status: Standing };
  readonly fiscal: { readonly status: Standing };
  readonly payment: { readonly status: Standing; readonly channels: Channel[] }[];
}

/** What is connected in each country that has agencies, by its code. Names nothing of how. */
export async function integrations({ db, config, identity, channels }: Call): Promise<Record<string, Country>> {
  const rows = await db.rows<{ country: string }>(sql`select distinct country from mda where status = 'Active' order by country`);
  const standing = (adapter: { readonly stub: boolean } | undefined): Standing => {
    if (!adapter) return 'unavailable';
    return adapter.stub || config.mode === 'sandbox' ? 'sandbox' : 'live';
  };
  const byStanding = Map.groupBy(Object.values(Channel), (channel) => standing(channels[channel]));
  const country: Country = {
    // An authority that is not connected answers no look-up.
    identity: { status: identity.stub ? 'sandbox' : 'unavailable' },
    fiscal: { status: 'unavailable' },
    payment: [...byStanding].map(([status, members]) => ({ status, channels: members })),
  };
  return Object.fromEntries(rows.map((row) => [row.country, country]));
}
