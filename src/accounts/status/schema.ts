import { builder } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { countryCode } from '../../graphql/input/forms.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { NoticeSeverityEnum } from '../notices/schema.ts';
import { HEALTHS, type Health } from './health.ts';
import type { Incident } from './incidents.ts';
import { type CountryPart, type HealthDay, type ServiceStatus, listCountryParts, readStatus } from './status.ts';

const HealthEnum = defineEnum<Health>('Health', 'Health of a part of the service.', HEALTHS);

const HealthDayType = builder.objectRef<HealthDay>('ServiceHealthDay').implement({
  description: 'Health of a part of the service on a day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, by the clock of UTC.' }),
    health: t.expose('health', { type: HealthEnum, description: 'Its health on that day.' }),
    share: t.exposeFloat('share', {
      nullable: true,
      description: 'The part of requests that were answered, from 0 to 1; null if there were fewer than five.',
    }),
  }),
});

const ChannelStatusType = builder
  .objectRef<{ readonly channel: Channel; readonly health: Health; readonly days: readonly HealthDay[] }>(
    'ChannelStatus',
  )
  .implement({
    description:
      'Health of a payment channel, by the payers who were asked and for whom its provider reported an outcome.',
    fields: (t) => ({
      channel: t.expose('channel', {
        type: ChannelEnum,
        description: 'The payment channel that it is about.',
      }),
      health: t.expose('health', { type: HealthEnum, description: 'Its health at present.' }),
      days: t.expose('days', {
        type: [HealthDayType],
        description: 'The last 90 days, oldest first.',
      }),
    }),
  });

const ConnectionStatusType = builder
  .objectRef<ServiceStatus['connections'][number]>('AgencyConnectionStatus')
  .implement({
    description: 'Health of the connection to the agencies of a kind, by the probes of their endpoints.',
    fields: (t) => ({
      agencyKind: t.exposeString('kind', { description: 'The kind of agency, such as `tax authority`.' }),
      lastCheckedAt: t.expose('lastCheckedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Time of the last probe of its endpoints; null if none ever was.',
      }),
      health: t.expose('health', { type: HealthEnum, description: 'Its health at present.' }),
      days: t.expose('days', {
        type: [HealthDayType],
        description: 'The last 90 days, oldest first.',
      }),
    }),
  });

const CountryPartType = builder.objectRef<CountryPart>('CountryServiceStatus').implement({
  description: 'Health of a part of the service in a country.',
  fields: (t) => ({
    country: t.exposeString('country', { description: 'The country (ISO 3166-1).', ...countryCode }),
    part: t.exposeString('part', {
      description: '`identity`: the identity authority; `fiscal`: fiscal documents; or a payment channel, `mtn_momo`.',
    }),
    connected: t.exposeBoolean('connected', {
      description: 'True if a connection for it is configured; without one it is `down`.',
    }),
    health: t.expose('health', {
      type: HealthEnum,
      description:
        'Its health at present: `down` if it cannot be used, as `integrations` says, and otherwise that of its channel or of the connection to its authority.',
    }),
    lastCheckedAt: t.expose('lastCheckedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time at which the authority was last probed; null if it never was, if nothing is connected, and for channels.',
    }),
  }),
});

const IncidentType = builder.objectRef<Incident>('ServiceIncident').implement({
  description: 'A notice that is or was in effect.',
  fields: (t) => ({
    notice: t.exposeString('id', { description: 'The docname of the notice.' }),
    title: t.exposeString('title', { description: 'The title of the notice.' }),
    body: t.exposeString('body', { description: 'The text of the notice.' }),
    severity: t.expose('severity', {
      type: NoticeSeverityEnum,
      description: 'Its importance for users.',
    }),
    channels: t.exposeStringList('channels', {
      description: 'The payment channels concerned; empty where it is about more than these.',
    }),
    agencyIds: t.exposeStringList('agencyIds', {
      description: 'The codes of the agencies concerned; empty where it is about more than these.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'Time at which it took effect.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of the notice, also by withdrawal; null for until further notice.',
    }),
    open: t.exposeBoolean('open', { description: 'True if it is in effect now.' }),
  }),
});

const StatusType = builder.objectRef<ServiceStatus>('ServiceHealth').implement({
  description: 'Health of the service, now and over the last 90 days.',
  fields: (t) => ({
    asOf: t.expose('asOf', { type: 'DateTime', description: 'Time of these figures, at most 20 seconds ago.' }),
    channels: t.expose('channels', {
      type: [ChannelStatusType],
      description: 'The payment channels that are offered, except cash.',
    }),
    agencyConnections: t.expose('connections', {
      type: [ConnectionStatusType],
      description: 'The connections to agencies, by kind.',
    }),
    countries: t.field({
      type: [CountryPartType],
      description: 'Identity authorities, fiscal documents and payment channels except cash, by country.',
      resolve: (status, _args, call) => listCountryParts(call, status),
    }),
    incidents: t.expose('incidents', {
      type: [IncidentType],
      description: 'The last 50 notices that were or are in effect within these days, newest first.',
    }),
  }),
});

builder.queryFields((t) => ({
  serviceHealth: t.field({
    type: StatusType,
    description:
      'Health of payment channels and of connections to agencies, now and over the last 90 days, with the notices of that time. No authentication required.',
    resolve: (_root, _args, call) => readStatus(call),
  }),
}));
