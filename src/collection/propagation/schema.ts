import './behaviour-schema.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, docname } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { getPropagation, listPropagations, listPropagationsOf, propagationLoader, retryPropagation } from './find.ts';
import type { PropagationKind, PropagationStatus } from './lifecycle.ts';
import { agencyField } from '../catalogue/edges.ts';
import { assessmentField } from '../assessments/edges.ts';

const StatusEnum = builder.enumType('PropagationStatus', {
  description: 'The status of a notification to an agency.',
  values: {
    pending: { description: 'Not delivered yet; it is retried until it succeeds or the attempts are used up.' },
    done: { description: 'The agency accepted it.' },
    dead: { description: 'All attempts failed; it is not retried automatically.' },
    rejected: { description: 'The agency rejected it afterwards; it is retried only on request.' },
  } as const,
});

const KindEnum = defineEnum<PropagationKind>('PropagationKind', 'Kind of notification to an agency.', {
  payment: 'Payment of its part of an assessment.',
  reversal: 'Reversal of the payment. Follows where the agency was notified of the payment, and is sent after that.',
});

const PropagationType = builder.prismaObject('Propagation', {
  description:
    "The notification of an agency's own system that its part of an assessment was paid, or that the payment was reversed.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description:
        "The docname: the assessment's docname, a dot and the agency's code; that of a reversal ends with `.reversal`, that of a refund with its docname.",
    }),
    assessmentId: t.exposeID('assessment', {
      description: 'The docname of the paid assessment.',
      ...docname('assessment'),
    }),
    assessment: t.field(assessmentField('The paid assessment.')),
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency that is notified.')),
    kind: t.field({
      type: KindEnum,
      description: 'Kind of notification: `payment` or `reversal`.',
      resolve: ({ kind }) => kind as PropagationKind,
    }),
    status: t.field({
      type: StatusEnum,
      description: 'The status of the notification.',
      resolve: ({ status }) => status as PropagationStatus,
    }),
    maybeTold: t.exposeBoolean('maybeTold', {
      description:
        'True if an attempt ended without an answer, so that the agency may know of it all the same. Such a payment is notified even if it is reversed meanwhile, and its reversal after it.',
    }),
    rejections: t.exposeInt('rejections', { description: 'The number of times that the agency rejected it.' }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the next attempt is due.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Reason why the last attempt failed, or why the agency rejected it.',
    }),
    receipt: t.exposeString('receipt', { nullable: true, description: "The agency's receipt number." }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time at which the assessment was paid; for a reversal, at which its notification became due.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which the status last changed.' }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the agency accepted the notification.',
    }),
  }),
});

defineNode({
  typename: 'Propagation',
  needs: ['propagation.read'],
  matches: (id) => isDocname('assessment', id.slice(0, Math.max(id.indexOf('.'), 0))),
  loader: propagationLoader,
});

const PropagationConnection = defineConnection('Propagation', PropagationType, 'notifications to agencies');

builder.prismaObjectField('Assessment', 'propagations', (t) =>
  t.field({
    description:
      "The notifications of agencies' own systems that it was paid, newest first. For admins, system managers, finance officers and the oversight role.",
    ...needs('propagation.read', { alone: true }),
    ...connection(PropagationConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listPropagationsOf(call, 'assessment', name, args),
  }),
);

builder.prismaObjectField('Agency', 'propagations', (t) =>
  t.field({
    description:
      "The notifications of this agency's own system, newest first. For admins, system managers, finance officers, the oversight role, and the agency itself by a token with `payments.read`; empty for those who are bound to others.",
    ...needs('propagation.read', { alone: true }),
    ...connection(PropagationConnection, {
      most: 200,
      args: { status: t.arg({ type: StatusEnum, description: 'Only notifications in this status. Default: in any.' }) },
    }),
    resolve: ({ name }, args, call) => listPropagationsOf(call, 'mda', name, args),
  }),
);

builder.queryFields((t) => ({
  propagations: t.field({
    description:
      "Notifications to agencies' own systems, newest first. For admins, system managers, finance officers and the oversight role; an agency sees its own by a token with `payments.read`.",
    ...needs('propagation.read'),
    ...connection(PropagationConnection, {
      most: 200,
      searched: ['status', 'agency'],
      args: {
        status: t.arg({ type: StatusEnum, description: 'Only notifications in this status. Default: in any.' }),
        agency: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
        assessment: t.arg.id({ description: 'Filter by assessment (docname).', ...docname('assessment') }),
        receipt: t.arg.id({
          description: "Filter by the agency's receipt number.",
          ...shape({ maxLength: LONGEST_LABEL }),
        }),
      },
    }),
    resolve: (_root, args, call) => listPropagations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  retryPropagation: t.field({
    type: 'Propagation',
    description:
      'Restarts notification of an agency after all attempts failed, or after the agency rejected it. For admins and system managers.',
    ...needs('operations.write', { people: 'alone' }),
    args: { id: t.arg.id({ required: true, description: 'The docname of the notification.' }) },
    resolve: (_root, { id }, call) => retryPropagation(call, id),
    answerAgain: getPropagation,
  }),
}));
