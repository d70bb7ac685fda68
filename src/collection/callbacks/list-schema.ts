import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { docname, senderName } from '../../graphql/input/forms.ts';
import { CALLBACK_NAME, type StoredCallback, callbackLoader, listCallbacks } from './find.ts';
import { UNSIGNED } from './signature.ts';
import { DecisionEnum } from './schema.ts';
import { addSubject } from './subject-schema.ts';

const CallbackType = builder.objectRef<StoredCallback>('ProviderCallback').implement({
  description:
    'A callback of a payment provider, an agency, a fiscal partner or a payment point that was taken, and what came of it. Its body is not kept. Not listed is what was refused, such as a wrong signature, and what named nothing that is known: it may come again.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The sender and its number for the callback; with `unsigned:` before it if nothing proved that.',
    }),
    provider: t.string({
      description:
        'The payment provider, agency, fiscal partner or payment point to whose address it came, or the connection of one.',
      resolve: ({ sender }) => (sender.startsWith(UNSIGNED) ? sender.slice(UNSIGNED.length) : sender),
    }),
    signed: t.boolean({
      description:
        'True if its signature or token proved its sender; only sandbox mode takes others. Nothing is believed before the provider itself was asked, unless it is made up.',
      resolve: ({ sender }) => !sender.startsWith(UNSIGNED),
    }),
    event: t.exposeString('eventId', { description: 'The number of the event at the sender.' }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'Outcome of the callback.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'Time at which it was first received.' }),
  }),
});

addSubject(CallbackType);

defineNode({
  typename: 'ProviderCallback',
  needs: ['operations.read'],
  matches: (id) => CALLBACK_NAME.test(id),
  loader: callbackLoader,
});

const CallbackConnection = defineConnection('ProviderCallback', CallbackType, 'callbacks');

builder.queryFields((t) => ({
  providerCallbacks: t.field({
    description:
      'The callbacks that were taken from payment providers, agencies and fiscal partners, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(CallbackConnection, {
      most: 200,
      searched: ['provider', 'decision', 'signed'],
      args: {
        provider: t.arg.id({ description: 'Filter by the provider that sent the callback.', ...senderName }),
        decision: t.arg({
          type: [DecisionEnum],
          description: 'Filter by what came of them: any of these.',
        }),
        signed: t.arg.boolean({ description: 'Only those whose sender was proven, or only others.' }),
        intent: t.arg.id({ description: 'Filter by payment intent (docname).', ...docname('intent') }),
        fromDate: t.arg({ type: 'Date', description: 'From this UTC day on.' }),
        toDate: t.arg({ type: 'Date', description: 'Up to and including this UTC day.' }),
      },
    }),
    resolve: (_root, args, call) => listCallbacks(call, args, args),
  }),
}));
