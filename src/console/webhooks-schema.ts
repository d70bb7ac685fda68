import { integratorLoader } from '../accounts/integrators/find.ts';
import { builder, needs } from '../graphql/builder.ts';
import { follow } from '../graphql/graph/edge.ts';
import { docnameArg, integratorCode, requiredText } from '../graphql/input/forms.ts';
import { listReasons } from '../kernel/reasons.ts';
import { LONGEST_REASON } from '../kernel/text/free-text.ts';
import { IntegratorType } from '../accounts/integrators/integrator-schema.ts';

import { DeliveryType } from '../accounts/webhooks/delivery-schema.ts';
import { type DeadDeliveries, countDead, getDelivery } from '../accounts/webhooks/find.ts';
import {
  MOST_REDELIVERED,
  redeliverAsOperator,
  redeliverDead,
  redeliverDeadAgain,
} from '../accounts/webhooks/redeliver.ts';
import { RedeliveryType } from '../accounts/webhooks/schema.ts';
import { readers, writers } from './audience.ts';

const reason = {
  required: true,
  description: 'The reason, at most 280 characters.',
  ...requiredText(LONGEST_REASON),
} as const;

const DeadType = builder.objectRef<DeadDeliveries>('DeadWebhookDeliveries').implement({
  description: 'The webhook messages of one integrator that are dead: all attempts to deliver them failed.',
  fields: (t) => ({
    integratorId: t.exposeID('integrator', { description: 'The code of the integrator.', ...integratorCode }),
    integrator: t.field({
      type: IntegratorType,
      description: 'The integrator that was to get them.',
      resolve: ({ integrator }, _args, call, info) => follow(call, info, integratorLoader, integrator),
    }),
    count: t.exposeInt('count', { description: 'The number of dead messages.' }),
    oldest: t.expose('oldest', { type: 'DateTime', description: 'Time at which the oldest of them was created.' }),
  }),
});

builder.queryFields((t) => ({
  deadWebhookDeliveries: t.field({
    type: [DeadType],
    description: `All dead webhook messages, except those to endpoints that were removed, counted by integrator; the integrator with the most first. ${readers}`,
    ...needs('operations.read'),
    complexity: { field: 20, multiplier: 20 },
    resolve: (_root, _args, call) => countDead(call),
  }),
}));

builder.mutationFields((t) => ({
  operatorRedeliverWebhook: t.field({
    type: DeliveryType,
    description: `Sends a message to its integrator again, with a new series of attempts. Messages about one object still arrive in their order. ${writers}${listReasons('no_webhook_endpoint', 'webhook_disabled', 'being_sent')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('delivery')),
      reason: t.arg.string(reason),
    },
    resolve: (_root, args, call) => redeliverAsOperator(call, args),
    answerAgain: getDelivery,
  }),
  operatorRedeliverWebhooks: t.field({
    type: RedeliveryType,
    description: `Sends the dead messages of an integrator again, oldest first and at most ${MOST_REDELIVERED} at a time, except those to endpoints that were removed or disabled. ${writers}${listReasons('no_webhook_endpoint', 'webhook_disabled')}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      integrator: t.arg.id({
        required: true,
        description: 'The code of the account whose messages they are.',
        ...integratorCode,
      }),
      since: t.arg({
        type: 'DateTime',
        required: true,
        description:
          'Messages created at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
      }),
      reason: t.arg.string(reason),
    },
    resolve: (_root, args, call) => redeliverDead(call, args),
    answerAgain: redeliverDeadAgain,
  }),
}));
