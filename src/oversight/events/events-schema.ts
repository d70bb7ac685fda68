import { builder } from '../../graphql/builder.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import { EventKindEnum } from '../../collection/payments/schema/event-schema.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import type { EventPage, OverseenEvent } from './find.ts';
import { money } from '../revenue/revenue-schema.ts';

export const EventType = builder.objectRef<OverseenEvent>('OverseenPaymentEvent').implement({
  description: 'A payment event without personal data.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'The docname, which also serves as the cursor.' }),
    mda: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    amount: t.expose('amount', money('The amount; negative for a reversal.')),
    currency: t.exposeID('currency', { description: 'The currency.', ...currencyCode }),
    channel: t.field({ type: ChannelEnum, description: 'The payment channel.', resolve: ({ channel }) => channel }),
    kind: t.field({
      type: EventKindEnum,
      description: 'The kind of event: `payment` or `reversal`.',
      resolve: ({ kind }) => kind,
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the event was recorded.' }),
    seal: t.expose('seal', {
      type: 'JSON',
      nullable: true,
      description: "The seal in the agency's chain, `{sequence, hash}`; null for the first seconds.",
    }),
  }),
});

const EdgeType = builder.objectRef<OverseenEvent>('OverseenPaymentEventEdge').implement({
  description: 'A payment event in a list.',
  fields: (t) => ({
    cursor: t.exposeID('name', { description: 'The cursor of this event, for `after` or `before`.' }),
    node: t.field({ type: EventType, description: 'The event.', resolve: (event) => event }),
  }),
});

const PageInfoType = builder.objectRef<EventPage>('PageInfo').implement({
  description: 'Information about a page of a list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNext', { description: 'Whether there are more items after this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPrevious', { description: 'Whether there are items before this page.' }),
    startCursor: t.id({
      nullable: true,
      description: 'The cursor of the first item.',
      resolve: ({ events }) => events[0]?.name ?? null,
    }),
    endCursor: t.id({
      nullable: true,
      description: 'The cursor of the last item.',
      resolve: ({ events }) => events.at(-1)?.name ?? null,
    }),
  }),
});

export const ConnectionType = builder.objectRef<EventPage>('OverseenPaymentEventConnection').implement({
  description: 'A page of payment events, newest first.',
  fields: (t) => ({
    edges: t.field({
      type: [EdgeType],
      description: 'The events with their cursors.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    nodes: t.field({
      type: [EventType],
      description: 'The events.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    pageInfo: t.field({ type: PageInfoType, description: 'Information about the page.', resolve: (page) => page }),
  }),
});
