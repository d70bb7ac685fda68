import { IDENTITY_AUTHORITY, TAX_AUTHORITY, kindOf } from '../../adapters/agencies/kinds.ts';
import { listOffering } from '../../adapters/payment/aggregators.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Channel } from '../../generated/prisma/enums.ts';

/** Whether something outside is really connected, made up, or not to be had. */
type ConnectionStatus = 'live' | 'sandbox' | 'unavailable';

interface Country {
  readonly identity: { readonly status: ConnectionStatus };
  readonly fiscal: { readonly status: ConnectionStatus };
  readonly payment: { readonly status: ConnectionStatus; readonly channels: Channel[] }[];
}

interface Agency {
  readonly name: string;
  readonly mdaType: string;
  readonly country: string;
}

/** What is connected in each country that has agencies, by its code. Names nothing of how. */
export async function listIntegrations(call: Call): Promise<Record<string, Country>> {
  const agencies = await call.db.rows<Agency>(
    sql`select name, mda_type as "mdaType", country from mda where status = 'Active' order by country, name`,
  );
  return Object.fromEntries(
    [...Map.groupBy(agencies, ({ country }) => country)].map(([country, own]) => [
      country,
      {
        identity: { status: agencyStatusOf(call, IDENTITY_AUTHORITY, country, own) },
        fiscal: { status: fiscalStatusOf(call, country, own) },
        payment: paymentOf(call, country),
      },
    ]),
  );
}

/** The ways of paying by how they stand in a country. */
function paymentOf(call: Call, country: string): Country['payment'] {
  const byStanding = Map.groupBy(Object.values(Channel), (channel) => channelStatusOf(call, channel, country));
  return [...byStanding].map(([status, channels]) => ({ status, channels }));
}

/** What fails so often that it is left alone for a while is not to be had, whatever it is. */
function channelStatusOf({ aggregators, config }: Call, channel: Channel, country: string): ConnectionStatus {
  const here = listOffering(aggregators, channel).filter((one) => one.country === null || one.country === country);
  const available = here.filter(({ adapter }) => adapter.available);
  if (available.length === 0) return 'unavailable';
  return available.every(({ adapter }) => adapter.stub) ? 'sandbox' : config.mode;
}

/** Fiscal documents come from a partner that is connected, or a tax authority; nobody makes them up. */
function fiscalStatusOf(call: Call, country: string, all: readonly Agency[]): ConnectionStatus {
  const { mode, connections } = call.config;
  if (Object.values(connections.fiscalPartners).some((partner) => partner.country === country)) return mode;
  const ofKind = all.filter(({ mdaType }) => kindOf(mdaType) === TAX_AUTHORITY).map(({ name }) => name);
  const connected = call.agencies.statusOf(TAX_AUTHORITY, { country, agencies: ofKind }) === 'connected';
  return connected ? mode : 'unavailable';
}

function agencyStatusOf(
  { agencies, config }: Call,
  kind: string,
  country: string,
  all: readonly Agency[],
): ConnectionStatus {
  const ofKind = all.filter(({ mdaType }) => kindOf(mdaType) === kind).map(({ name }) => name);
  switch (agencies.statusOf(kind, { country, agencies: ofKind })) {
    case 'connected':
      return config.mode;
    case 'stub':
      return 'sandbox';
    case 'unavailable':
    case 'unconnected':
      return 'unavailable';
  }
}
