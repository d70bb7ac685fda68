import { IDENTITY_AUTHORITY, TAX_AUTHORITY } from '../../adapters/agencies/kinds.ts';
import { listOffering } from '../../adapters/payment/aggregators.ts';
import type { Call } from '../../platform/call/call.ts';
import { type IntegrationStatus, listIntegrationStatuses } from '../../collection/agencies/integrations.ts';
import { Channel } from '../../generated/prisma/enums.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { STATUS_DAYS, readChannelDays } from './channels.ts';
import { listKinds, readConnectionDays } from './connections.ts';
import { type Health, LEAST_TRIES, type Tries, healthOfChannel, healthOfConnection } from './health.ts';
import { type Incident, listIncidents } from './incidents.ts';

/** Health of a part on a day. */
export interface HealthDay {
  /** A UTC day. */
  readonly day: Date;
  readonly health: Health;
  /** The part of tries that went well; null where they were too few. */
  readonly share: number | null;
}

interface Watched {
  /** Its health at present. */
  readonly health: Health;
  /** The last days, the oldest first. */
  readonly days: readonly HealthDay[];
}

export interface ServiceStatus {
  readonly asOf: Date;
  readonly channels: readonly (Watched & { readonly channel: Channel })[];
  readonly connections: readonly (Watched & { readonly kind: string; readonly lastCheckedAt: Date | null })[];
  readonly incidents: readonly Incident[];
}

/** Everybody may ask, and as often as they like: for so long all are answered the same. */
const KEPT_MS = 20_000;
const kept = new WeakMap<object, { readonly until: number; readonly status: Promise<ServiceStatus> }>();

/** Health of the service, now and over three months. Nothing of it leads to a person or to an account. */
export async function readStatus(call: Call): Promise<ServiceStatus> {
  const at = call.now().getTime();
  const before = kept.get(call.rail.limits);
  if (before && at < before.until && at >= before.until - KEPT_MS) return before.status;
  const status = makeStatus(call);
  kept.set(call.rail.limits, { until: at + KEPT_MS, status });
  // The next caller retries what failed.
  status.catch(() => kept.delete(call.rail.limits));
  return status;
}

async function makeStatus(call: Call): Promise<ServiceStatus> {
  const asOf = call.now();
  const days = Array.from(
    { length: STATUS_DAYS },
    (_, index) => new Date(dayOf(asOf).getTime() - (STATUS_DAYS - 1 - index) * DAY_MS),
  );
  const first = formatDay(days[0]!);
  const [ofChannels, kinds, ofConnections, incidents] = await Promise.all([
    readChannelDays(call),
    listKinds(call),
    readConnectionDays(call, first),
    listIncidents(call, first),
  ]);
  const channels = Object.values(Channel).flatMap((channel) => {
    const offering = listOffering(call.rail.aggregators, channel);
    // Accepting cash needs no connection.
    if (offering.length === 0 || channel === 'cash') return [];
    const own = daysOf(
      days,
      ofChannels.filter((one) => one.channel === channel),
      healthOfChannel,
    );
    const isOpen = offering.some(({ adapter }) => adapter.available);
    return [{ channel, health: isOpen ? latestOf(own) : ('down' as const), days: own }];
  });
  const connections = kinds.map(({ kind, lastCheckedAt }) => {
    const own = daysOf(
      days,
      ofConnections.filter((one) => one.kind === kind),
      healthOfConnection,
    );
    return {
      kind,
      health: call.rail.agencies.statusOf(kind) === 'unavailable' ? ('down' as const) : latestOf(own),
      days: own,
      lastCheckedAt,
    };
  });
  return { asOf, channels, connections, incidents };
}

function daysOf(
  days: readonly Date[],
  found: readonly (Tries & { readonly day: string })[],
  healthOf: (tries: Tries) => Health,
): HealthDay[] {
  const byDay = new Map(found.map((one) => [one.day, one]));
  return days.map((day) => {
    const tries = byDay.get(formatDay(day)) ?? { tries: 0, well: 0 };
    const share = tries.tries < LEAST_TRIES ? null : tries.well / tries.tries;
    return { day, health: healthOf(tries), share };
  });
}

/** Health of today, or else of yesterday. */
function latestOf(days: readonly HealthDay[]): Health {
  return days.slice(-2).findLast(({ health }) => health !== 'unknown')?.health ?? 'unknown';
}

/** A part of the service in a country: an authority, its documents, or a channel. */
export interface CountryPart extends Pick<IntegrationStatus, 'country' | 'part' | 'connected'> {
  readonly health: Health;
  readonly lastCheckedAt: Date | null;
}

/** Kind of connection whose probes check an authority. */
const KIND_OF: Readonly<Record<string, string>> = { identity: IDENTITY_AUTHORITY, fiscal: TAX_AUTHORITY };

/** Health of the parts of the service in each country: unavailable is the same as operators see. */
export async function listCountryParts(call: Call, { connections, channels }: ServiceStatus): Promise<CountryPart[]> {
  const statuses = await listIntegrationStatuses(call);
  return statuses
    .filter(({ part }) => part !== 'cash')
    .map(({ country, part, status, connected }) => {
      const connection = connections.find(({ kind }) => kind === KIND_OF[part]);
      const watched = connection ?? channels.find(({ channel }) => channel === part);
      const health = status === 'unavailable' ? 'down' : (watched?.health ?? 'unknown');
      const lastCheckedAt = connected ? (connection?.lastCheckedAt ?? null) : null;
      return { country, part, connected, health, lastCheckedAt };
    });
}
