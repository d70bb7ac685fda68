import { IDENTITY_AUTHORITY, TAX_AUTHORITY, kindOf } from '../../adapters/agencies/kinds.ts';
import { listOffering } from '../../adapters/payment/aggregators.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Channel } from '../../generated/prisma/enums.ts';

/** State of an outside service: really connected, made up, or unavailable. */
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

/** A part of what lies outside, as a country has it: its identity authority, its fiscal documents, or a channel. */
export interface IntegrationStatus {
  readonly country: string;
  readonly part: 'identity' | 'fiscal' | Channel;
  readonly status: ConnectionStatus;
  /** True if there is a connection; tells one that is out of order from one that is missing. */
  readonly connected: boolean;
}

/** State of everything outside, country by country; checked again each time. */
export async function listIntegrationStatuses(call: Call): Promise<IntegrationStatus[]> {
  const agencies = await call.db.rows<Agency>(
    sql`select name, mda_type as "mdaType", country from mda where status = 'Active' order by country, name`,
  );
  return [...Map.groupBy(agencies, ({ country }) => country)].flatMap(([country, own]) => [
    { country, part: 'identity' as const, ...identityOf(call, country, own) },
    { country, part: 'fiscal' as const, ...fiscalOf(call, country, own) },
    ...Object.values(Channel).map((channel) => ({ country, part: channel, ...channelOf(call, channel, country) })),
  ]);
}

/** Connections in each country that has agencies, by its code. Says nothing of how. */
export async function listIntegrations(call: Call): Promise<Record<string, Country>> {
  const statuses = await listIntegrationStatuses(call);
  return Object.fromEntries(
    [...Map.groupBy(statuses, ({ country }) => country)].map(([country, own]) => {
      const [identity, fiscal, ...channels] = own as [
        IntegrationStatus,
        IntegrationStatus,
        ...(IntegrationStatus & { part: Channel })[],
      ];
      const payment = [...Map.groupBy(channels, ({ status }) => status)].map(([status, of]) => ({
        status,
        channels: of.map(({ part }) => part),
      }));
      return [country, { identity: { status: identity.status }, fiscal: { status: fiscal.status }, payment }];
    }),
  );
}

type Stands = Pick<IntegrationStatus, 'status' | 'connected'>;

/** Anything that fails so often that it is left alone for a while is unavailable. */
function channelOf({ rail, config }: Call, channel: Channel, country: string): Stands {
  const points = config.billers.filter(({ channels }) => channels.some((one) => one === channel));
  if (points.some((one) => one.country === null || one.country === country))
    return { status: config.mode, connected: true };
  const here = listOffering(rail.aggregators, channel).filter((one) => one.country === null || one.country === country);
  const available = here.filter(({ adapter }) => adapter.available);
  if (available.length === 0) return { status: 'unavailable', connected: here.length > 0 };
  return { status: available.every(({ adapter }) => adapter.stub) ? 'sandbox' : config.mode, connected: true };
}

/** Fiscal documents come from a partner that is connected, or a tax authority; nobody makes them up. */
function fiscalOf(call: Call, country: string, all: readonly Agency[]): Stands {
  const { mode, connections } = call.config;
  if (Object.values(connections.fiscalPartners).some((partner) => partner.country === country))
    return { status: mode, connected: true };
  const availability = availabilityOf(call, TAX_AUTHORITY, country, all);
  if (availability === 'connected') return { status: mode, connected: true };
  return { status: 'unavailable', connected: availability === 'unavailable' };
}

function identityOf(call: Call, country: string, all: readonly Agency[]): Stands {
  switch (availabilityOf(call, IDENTITY_AUTHORITY, country, all)) {
    case 'connected':
      return { status: call.config.mode, connected: true };
    case 'stub':
      return { status: 'sandbox', connected: true };
    case 'unavailable':
      return { status: 'unavailable', connected: true };
    case 'unconnected':
      return { status: 'unavailable', connected: false };
  }
}

function availabilityOf({ rail }: Call, kind: string, country: string, all: readonly Agency[]) {
  const ofKind = all.filter(({ mdaType }) => kindOf(mdaType) === kind).map(({ name }) => name);
  return rail.agencies.statusOf(kind, { country, agencies: ofKind });
}
