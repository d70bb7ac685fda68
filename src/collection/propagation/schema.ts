import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, docname } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { getPropagation, listPropagations, retryPropagation } from './find.ts';
import type { PropagationStatus } from './lifecycle.ts';

const StatusEnum = builder.enumType('PropagationStatus', {
  description: 'The status of a notification to an agency.',
  values: {
    pending: { description: 'Not delivered yet; it is retried until it succeeds or the attempts are used up.' },
    done: { description: 'The agency accepted it.' },
    dead: { description: 'All attempts failed; it is not retried automatically.' },
  } as const,
});

builder.prismaObject('Propagation', {
  description: "The notification of an agency's own system that its part of an assessment was paid.",
  fields: (t) => ({
    name: t.exposeID('name', { description: "The docname: the assessment's docname, a dot and the agency's code." }),
    assessment: t.exposeID('assessment', {
      description: 'The docname of the paid assessment.',
      ...docname('assessment'),
    }),
    mda: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    status: t.field({
      type: StatusEnum,
      description: 'The status of the notification.',
      resolve: ({ status }) => status as PropagationStatus,
    }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due.',
    }),
    lastError: t.exposeString('lastError', { nullable: true, description: 'Why the last attempt failed.' }),
    receipt: t.exposeString('receipt', { nullable: true, description: "The agency's receipt number." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the assessment was paid.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the status last changed.' }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the agency accepted the notification.',
    }),
  }),
});

builder.queryFields((t) => ({
  propagations: t.prismaField({
    type: ['Propagation'],
    description:
      "Notifications to agencies' own systems, newest first. For admins, system managers and the oversight role.",
    ...needs('operations.read'),
    args: {
      status: t.arg({ type: StatusEnum, description: 'Filter by status.' }),
      mda: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
      assessment: t.arg.id({ description: 'Filter by assessment (docname).', ...docname('assessment') }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listPropagations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  retryPropagation: t.prismaField({
    type: 'Propagation',
    description: 'Restarts notification of an agency after all attempts failed. For admins and system managers.',
    ...needs('operations.write'),
    args: { name: t.arg.id({ required: true, description: 'The docname of the notification.' }) },
    resolve: (_query, _root, { name }, call) => retryPropagation(call, name),
    answerAgain: getPropagation,
  }),
}));
