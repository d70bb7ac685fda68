import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, docname } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { getPropagation, listPropagations, retryPropagation } from './find.ts';
import type { PropagationStatus } from './lifecycle.ts';

const StatusEnum = builder.enumType('PropagationStatus', {
  description: 'Whether an agency was told of a payment.',
  values: {
    pending: { description: 'Not yet; it is tried until it succeeds, or too often.' },
    done: { description: 'It was.' },
    dead: { description: 'It was not, and is not tried any more.' },
  } as const,
});

builder.prismaObject('Propagation', {
  description: 'An agency with a system of its own that is told of its part of a paid assessment.',
  fields: (t) => ({
    name: t.exposeID('name', { description: "Its name: the assessment's docname, a dot, and the agency's code." }),
    assessment: t.exposeID('assessment', { description: 'The paid assessment.', ...docname('assessment') }),
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    status: t.field({ type: StatusEnum, description: 'Whether it was told.', resolve: ({ status }) => status as PropagationStatus }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true, description: 'When it is tried next.' }),
    lastError: t.exposeString('lastError', { nullable: true, description: 'Why the last try failed.' }),
    receipt: t.exposeString('receipt', { nullable: true, description: "The agency's number for it." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the assessment was paid.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the agency was last told, or is told again.' }),
    doneAt: t.expose('doneAt', { type: 'DateTime', nullable: true, description: 'When the agency was told.' }),
  }),
});

builder.queryFields((t) => ({
  propagations: t.prismaField({
    type: ['Propagation'],
    description: 'What agencies with systems of their own are told of, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: {
      status: t.arg({ type: StatusEnum, description: 'Only those in this state.' }),
      mda: t.arg.id({ description: 'Only those to this agency.', ...agencyCode }),
      assessment: t.arg.id({ description: 'Only those of this assessment.', ...docname('assessment') }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listPropagations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  retryPropagation: t.prismaField({
    type: 'Propagation',
    description: 'Begins to tell an agency again that all tries to tell failed. For admins and system managers.',
    ...needs('operations.write'),
    args: { name: t.arg.id({ required: true, description: 'Its name.' }) },
    resolve: (_query, _root, { name }, call) => retryPropagation(call, name),
    answerAgain: getPropagation,
  }),
}));
