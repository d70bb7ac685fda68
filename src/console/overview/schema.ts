import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { type Lacking, findLacking } from '../../platform/access/independence.ts';
import { MOST_COUNTED } from '../../platform/reading/page.ts';
import { type OpenAnomalies, countOpenAnomalies } from '../../collection/anomalies/find.ts';
import { countDifferences } from '../../collection/reconciliation/find.ts';
import { readers } from '../audience.ts';
import { OVERVIEW, listUnavailable } from './overview.ts';

const OpenAnomaliesType = builder.objectRef<OpenAnomalies>('OpenAnomalies').implement({
  description: 'The number of open anomalies by severity.',
  fields: (t) => ({
    high: t.exposeInt('high', { description: 'Number of open anomalies of high severity.' }),
    medium: t.exposeInt('medium', { description: 'Number of open anomalies of medium severity.' }),
    low: t.exposeInt('low', { description: 'Number of open anomalies of low severity.' }),
  }),
});

const LackingEnum = defineEnum<Lacking>('LackingApprovers', 'Group in which no two are independent of each other.', {
  operators: 'Admins and system managers: roles, keys, fees, collection accounts and going live cannot be approved.',
  admins: 'Admins: that somebody becomes an admin or a system manager cannot be approved.',
});

const OverviewType = builder.objectRef<object>('OperationsOverview').implement({
  description: `Matters that need attention. Each part is read separately, and null with an error if that fails; a count of ${MOST_COUNTED + 1} stands for more.`,
  fields: (t) => ({
    openAnomalies: t.field({
      type: OpenAnomaliesType,
      nullable: true,
      description: 'Open anomalies that are not snoozed: `anomalies(status: Open, snoozed: false)`.',
      resolve: (_overview, _args, call) => countOpenAnomalies(call),
    }),
    deadPropagations: t.int({
      nullable: true,
      description: 'Notices that agencies did not get: `propagations(status: dead)`.',
      resolve: (_overview, _args, call) => OVERVIEW.deadPropagations(call),
    }),
    deadDeliveries: t.int({
      nullable: true,
      description: 'Messages that integrators did not get: `webhookDeliveries(status: dead)`.',
      resolve: (_overview, _args, call) => OVERVIEW.deadDeliveries(call),
    }),
    unmatchedItems: t.int({
      nullable: true,
      description: 'Number of differences in the latest reconciliation run of each provider, of the last 31 days.',
      resolve: (_overview, _args, call) => countDifferences(call),
    }),
    pendingLiveRequests: t.int({
      nullable: true,
      description: 'Accounts that ask to go live.',
      resolve: (_overview, _args, call) => OVERVIEW.liveRequests(call),
    }),
    pendingAccountChanges: t.int({
      nullable: true,
      description: "Changes of agencies' collection accounts that wait for another operator.",
      resolve: (_overview, _args, call) => OVERVIEW.accountChanges(call),
    }),
    pendingApprovals: t.int({
      nullable: true,
      description: 'Requests that wait for another, independent person: `approvals(status: Pending)`.',
      resolve: (_overview, _args, call) => OVERVIEW.approvals(call),
    }),
    lackingApprovers: t.field({
      type: LackingEnum,
      nullable: true,
      description:
        'Group of people in which a live rail has no two that are independent of each other, so that requests cannot be approved. Null if there are two, and in a sandbox.',
      resolve: (_overview, _args, call) => findLacking(call),
    }),
    unavailable: t.stringList({
      nullable: true,
      description: 'Connections unavailable now, by country: `UG identity`, `UG fiscal`, or a channel, `UG card`.',
      resolve: (_overview, _args, call) => listUnavailable(call),
    }),
  }),
});

builder.queryFields((t) => ({
  operationsOverview: t.field({
    type: OverviewType,
    description: `Matters that need attention today. ${readers}`,
    ...needs('operations.read'),
    complexity: { field: 50, multiplier: 1 },
    resolve: () => ({}),
  }),
}));
