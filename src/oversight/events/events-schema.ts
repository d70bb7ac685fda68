import { builder } from '../../graphql/builder.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import type { EventPage, OverseenEvent } from './events.ts';
import { money } from '../revenue/revenue-schema.ts';

export const EventType = builder.objectRef<OverseenEvent>('OverseenPaymentEvent').implement({
  description: 'A payment event, with nothing that leads to a person.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, and the cursor after which others follow.' }),
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    amount: t.expose('amount', money('Its amount; negative for a reversal.')),
    currency: t.exposeID('currency', { description: 'The currency.', ...currencyCode }),
    channel: t.field({ type: 'String', description: 'The way of paying.', resolve: ({ channel }) => channel }),
    kind: t.field({ type: 'String', description: '`payment` or `reversal`.', resolve: ({ kind }) => kind }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was recorded.' }),
    seal: t.expose('seal', {
      type: 'JSON',
      nullable: true,
      description: "Its place in its agency's chain, `{sequence, hash}`; null for the first seconds.",
    }),
  }),
});

const EdgeType = builder.objectRef<OverseenEvent>('OverseenPaymentEventEdge').implement({
  description: 'A payment event in a list.',
  fields: (t) => ({
    cursor: t.exposeID('name', { description: 'After or before which others are asked for.' }),
    node: t.field({ type: EventType, description: 'The event.', resolve: (event) => event }),
  }),
});

const PageInfoType = builder.objectRef<EventPage>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNext', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPrevious', { description: 'Whether others come before.' }),
    startCursor: t.id({ nullable: true, description: 'The cursor of its first.', resolve: ({ events }) => events[0]?.name ?? null }),
    endCursor: t.id({ nullable: true, description: 'The cursor of its last.', resolve: ({ events }) => events.at(-1)?.name ?? null }),
  }),
});

export const ConnectionType = builder.objectRef<EventPage>('OverseenPaymentEventConnection').implement({
  description: 'Payment events, newest first, a page of them.',
  fields: (t) => ({
    edges: t.field({
      type: [EdgeType],
      description: 'The events with their cursors.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    nodes: t.field({
      type: [EventType],
      description: 'The events alone.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    pageInfo: t.field({ type: PageInfoType, description: 'Where the page lies.', resolve: (page) => page }),
  }),
});
