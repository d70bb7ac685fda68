import { Refusal } from '../kernel/refusal.ts';
import { builder, needs } from '../graphql/builder.ts';
import { anyOf, docname } from '../graphql/input/forms.ts';
import { dataset } from '../graphql/files/rows.ts';
import { shape } from '../graphql/input/shapes.ts';
import { connection } from '../graphql/graph/connection.ts';
import { typenameOf } from '../graphql/graph/node.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../collection/anomalies/schema.ts';
import { listOverseenAnomalies, overseenAnomalyLoader } from './anomalies/find.ts';
import { OverseenAnomalyConnection, OverseenAnomalyType } from './anomalies/schema.ts';
import { EventKindEnum } from '../collection/payments/schema/event-schema.ts';
import { PaymentProofEnum } from '../collection/payments/schema/intent-schema.ts';
import { EventConnection, EventType } from './events/events-schema.ts';
import { MOST_EVENTS, listOverseenEvents } from './events/find.ts';
import { listFees } from './fees/find.ts';
import { HeldFeeConnection } from './fees/schema.ts';
import { type StreamedEvent, streamEvents } from './events/stream.ts';
import { agencyListArg, channelsArg, currenciesArg, listSpan, zoneArg } from './common/arguments.ts';
import { codeOf } from './common/codes.ts';
import { holdDays, holdSlice } from './figures/held.ts';
import { Oversight } from './figures/oversight.ts';
import { LONGEST_LABEL } from '../kernel/text/free-text.ts';
import { say } from '../kernel/text/said.ts';

builder.objectFields(Oversight, (t) => ({
  anomalies: t.field({
    description: 'Anomalies without personal data, newest first.',
    ...connection(OverseenAnomalyConnection, {
      most: 1_000,
      searched: ['agency', 'kind', 'severity', 'status', 'fromDate', 'toDate'],
      args: {
        kind: t.arg({
          type: [AnomalyKindEnum],
          description: 'Filter by kinds: any of them.',
          ...shape({ items: { maxLength: LONGEST_LABEL } }),
        }),
        ...agencyListArg,
        severity: t.arg({
          type: [SeverityEnum],
          description: 'Filter by severities: any of them.',
          ...shape({ items: { maxLength: LONGEST_LABEL } }),
        }),
        status: t.arg({
          type: [AnomalyStatusEnum],
          description: 'Filter by statuses: any of them.',
          ...shape({ minItems: 1, maxItems: 100 }),
        }),
        ...listSpan,
        ...zoneArg,
      },
    }),
    resolve: async (held, args, call) => {
      const kept = { agency: 'agency', anomaly: 'kind', severity: 'severity', status: 'status' } as const;
      return listOverseenAnomalies(call, await holdDays(call, held, holdSlice(held, args, kept)), args);
    },
  }),
  anomaly: t.field({
    type: OverseenAnomalyType,
    nullable: true,
    description: 'One anomaly without personal data, as `anomalies` lists it. `not_found` where there is none.',
    args: { id: t.arg.id({ required: true, description: 'The docname of the anomaly.', ...docname('anomaly') }) },
    resolve: async (_root, { id }, call) => {
      const anomaly = await overseenAnomalyLoader.load(call, id);
      if (!anomaly) throw new Refusal('not_found', say`There is no such anomaly`);
      return anomaly;
    },
  }),
  fees: t.field({
    description:
      'The official fees that services have and had, with the times between which each held; the latest first.',
    ...connection(HeldFeeConnection, {
      most: 1_000,
      args: {
        service: t.arg.idList({
          description: 'Filter by services (docnames): any of them.',
          ...codeOf('service', anyOf(docname('service'))),
        }),
        ...agencyListArg,
      },
    }),
    resolve: (held, args, call) =>
      listFees(call, holdSlice(held, args, { agency: 'agency', service: 'service' }), args),
  }),
  paymentEvents: t.field({
    description: 'Payment events, newest first, with stable cursors.',
    ...connection(EventConnection, {
      most: MOST_EVENTS,
      searched: ['channel', 'kind', 'proof', 'currency', 'fromDate', 'toDate'],
      args: {
        ...agencyListArg,
        ...channelsArg,
        kind: t.arg({ type: EventKindEnum, description: 'Only payments, or only reversals. Default: both.' }),
        proof: t.arg({
          type: [PaymentProofEnum],
          description: 'Only events of payments that were confirmed by one of these.',
        }),
        ...currenciesArg,
        ...listSpan,
        ...zoneArg,
      },
    }),
    ...dataset(1_000),
    resolve: async (held, args, call) => {
      const kept = { agency: 'agency', channel: 'channel', currency: 'currency' } as const;
      return listOverseenEvents(call, await holdDays(call, held, holdSlice(held, args, kept)), args);
    },
  }),
}));

const ItemType = builder.unionType('OversightItem', {
  description: 'A payment event or an anomaly.',
  types: [EventType, OverseenAnomalyType],
  resolveType: typenameOf,
});

const HappeningType = builder.objectRef<StreamedEvent>('OversightHappening').implement({
  description: 'A payment event or an anomaly, in real time.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'The cursor from which to resume without gaps or duplicates.' }),
    item: t.expose('item', {
      type: ItemType,
      description: 'The payment event or anomaly.',
    }),
  }),
});

builder.subscriptionType({ description: 'All subscriptions, delivered as server-sent events.' });
builder.subscriptionFields((t) => ({
  oversight: t.field({
    type: HappeningType,
    description:
      'Payment events and anomalies in real time, each once and in order. A stream lasts 15 minutes; resume from the last cursor, which is also the `id` of each server-sent event. It ends with `unauthenticated` within 5 s after its credential is revoked, suspended or expired. `rate_limited` beyond 5 concurrent streams per key. Scope `oversight.read`.',
    ...needs('oversight.read'),
    args: {
      after: t.arg.string({
        description:
          'The cursor to resume from. Default: from now on. The header `Last-Event-ID`, which `EventSource` sends when it reconnects, takes precedence.',
      }),
    },
    subscribe: (_root, { after }, call) => streamEvents(call, after ?? null),
    resolve: (happening) => {
      if ('error' in happening) throw happening.error;
      return happening;
    },
  }),
}));
