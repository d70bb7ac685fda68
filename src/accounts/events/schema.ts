import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { between } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { type Envelope, MOST_TYPES, type WebhookEventType, eventCatalogue } from './event-types.ts';
import { envelopeOf } from './envelope.ts';
import { LONGEST_WAIT_SECONDS, type LoggedEvent, getOwnEvent, listOwnEvents } from './find.ts';
import { KEPT_DAYS } from './listening.ts';

export const EventTypeEnum = defineEnum(
  'WebhookEventType',
  'The type of a webhook event. Types may be added.',
  Object.fromEntries(eventCatalogue.map(({ type, description }) => [type, description])) as Record<
    WebhookEventType,
    string
  >,
);

const DataType = builder.objectRef<Envelope['data']>('EventData').implement({
  description: 'The content of an event.',
  fields: (t) => ({
    object: t.expose('object', {
      type: 'JSON',
      description: 'The record after the change, as `eventTypes` describes it.',
    }),
  }),
});

const EventType = builder.objectRef<Envelope>('Event').implement({
  description: 'Something that happened, in the envelope in which webhooks carry it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The unique identifier, a UUID: the cursor to read on after it.' }),
    type: t.field({
      type: EventTypeEnum,
      description: 'The type of the event.',
      resolve: ({ type }) => type as WebhookEventType,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the change that it reports.',
      resolve: ({ created_at: at }) => new Date(at),
    }),
    sequence: t.exposeInt('sequence', { description: 'Grows with every change of the object.' }),
    data: t.expose('data', {
      type: DataType,
      description: 'Content of the event: the record after the change.',
    }),
    test: t.boolean({
      nullable: true,
      description: 'True if it only tests an endpoint, with an example; otherwise null.',
      resolve: ({ test }) => test ?? null,
    }),
  }),
});

const EventConnection = defineConnection('Event', EventType, 'events');

const OWNERS = 'For accounts, for agencies by a token with `events.read`.';

builder.queryFields((t) => ({
  events: t.field({
    description: `The events of your account or agency in the last ${KEPT_DAYS} days, oldest first: what webhooks carry, unsigned. From your first request on, payment events are among them. To follow them, ask for those after the last one that you have. ${OWNERS}`,
    ...needs('account.events'),
    ...connection(EventConnection, {
      most: 200,
      args: {
        types: t.arg.stringList({
          description: 'Filter by types, by name or by a beginning, `payment_intent.*`: any of them.',
          ...shape({ maxItems: MOST_TYPES, items: { maxLength: 100, examples: ['payment_intent.*'] } }),
        }),
        wait: t.arg.int({
          description:
            'Number of seconds to wait where there is no event yet, 0 to 25. The response comes with the first one.',
          ...between(0, LONGEST_WAIT_SECONDS),
        }),
      },
    }),
    resolve: async (_root, args, call) => {
      const page = await listOwnEvents(call, args, args);
      return { ...page, rows: page.rows.map((row: LoggedEvent) => envelopeOf(row)) };
    },
  }),
  event: t.field({
    type: EventType,
    description: `Returns one of the events of your account or agency. ${OWNERS} \`not_found\` if it does not exist, or is older than ${KEPT_DAYS} days.`,
    ...needs('account.events'),
    args: { id: t.arg.id({ required: true, description: 'The `id` of the event.', ...shape({ format: 'uuid' }) }) },
    resolve: (_root, { id }, call) => getOwnEvent(call, id),
  }),
}));
