import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import { EventKindEnum, EventSealType } from '../../collection/payments/schema/event-schema.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import { fromJson } from '../../platform/database/record.ts';
import type { OverseenEvent } from './find.ts';
import { money } from '../revenue/revenue-schema.ts';

export const EventType = builder.objectRef<OverseenEvent>('OverseenPaymentEvent').implement({
  description: 'A payment event without personal data.',
  fields: (t) => ({
    id: t.exposeID('name', { description: 'The docname of the event, `PEV-<yyyy>-<mm>-<6 digits>`.' }),
    mda: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    amount: t.expose('amount', money('The amount; negative for a reversal.')),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    channel: t.field({
      type: ChannelEnum,
      description: 'The payment channel through which it was paid.',
      resolve: ({ channel }) => channel,
    }),
    kind: t.field({
      type: EventKindEnum,
      description: 'The kind of event: `payment` or `reversal`.',
      resolve: ({ kind }) => kind,
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the event was recorded.' }),
    seal: t.field({
      type: EventSealType,
      nullable: true,
      description: "The seal in the agency's chain; null for the first seconds.",
      resolve: ({ seal }) => seal && fromJson('EventSeal', seal),
    }),
  }),
});

export const EventConnection = defineConnection('OverseenPaymentEvent', EventType, 'payment events');
