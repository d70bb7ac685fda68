import { ApprovalStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { REASON, docname, ownDocname } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { approve, refuse } from './decide.ts';
import { approvalLoader, getApproval, listApprovals } from './find.ts';
import { type Approval, APPROVAL_KINDS, type ApprovalKind } from './kinds.ts';

const ApprovalStatusEnum = builder.enumType(ApprovalStatus, {
  name: 'ApprovalStatus',
  description: 'State of a request.',
  values: {
    Pending: { description: 'Somebody independent of the one who asked has yet to decide, within 7 days.' },
    Approved: { description: 'It was approved, and carried out.' },
    Refused: { description: 'It was refused, taken back, or overtaken by another change.' },
    Expired: { description: 'Nobody decided within 7 days. It can be asked for again.' },
  },
});

const ApprovalKindEnum = defineEnum('ApprovalKind', 'Kind of requested change. Kinds may be added.', APPROVAL_KINDS);

export const ApprovalType = builder.objectRef<Approval>('Approval').implement({
  description:
    'A request for what takes two independent people: one asks, another approves, and then it is carried out.',
  interfaces: [NodeType],
  fields: (t) => ({
    kind: t.field({
      type: ApprovalKindEnum,
      description: 'Kind of requested change.',
      resolve: ({ kind }) => kind as ApprovalKind,
    }),
    subject: t.exposeString('subject', {
      description: 'Object of the request, by `kind`: an e-mail address, a code, a docname, or a transaction.',
    }),
    proposal: t.expose('proposal', {
      type: 'JSON',
      description: 'The proposed change, as an object whose members depend on `kind`.',
    }),
    status: t.expose('status', { type: ApprovalStatusEnum, description: 'State of the request.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be decided.' }),
  }),
});

/** Adds what every type of requests has: its ID, who asked for it, and who decided. */
export function addRequestFields(type: typeof ApprovalType): void {
  builder.objectFields(type, (t) => ({
    id: t.exposeID('name', ownDocname('grant')),
    askedBy: t.exposeString('askedBy', {
      description: 'The author of the request: the e-mail address of a member of staff, or the code of an integrator.',
    }),
    askedReason: t.exposeString('askedReason', { nullable: true, description: 'The reason given; null if none was.' }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'The person who decided, or the cause of its expiry; null if it waits.',
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was decided or expired; null if it waits.',
    }),
    decidedReason: t.exposeString('decidedReason', {
      nullable: true,
      description: 'Reason for refusal, or for approval by one alone; null otherwise.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the request.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }));
}

addRequestFields(ApprovalType);

/** The request to decide on. */
export const requestArgs = builder.args((t) => ({
  id: t.id({ required: true, description: 'The docname of the request.', ...docname('grant') }),
}));

/** The request to refuse, and the reason. */
export const refusalArgs = builder.args((t) => ({
  id: t.id({ required: true, description: 'The docname of the request.', ...docname('grant') }),
  reason: t.string(REASON),
}));

defineNode({
  typename: 'Approval',
  needs: ['approvals.read'],
  matches: (id) => isDocname('grant', id),
  loader: approvalLoader,
});

const ApprovalConnection = defineConnection('Approval', ApprovalType, 'requests');

/** Readers of requests, as descriptions say it. */
const SEEN_BY =
  'For admins, system managers and the oversight role, who see all. Supervisors see those that they may decide, and finance officers those about agencies.';

builder.queryFields((t) => ({
  approvals: t.field({
    description: `Requests for what takes two independent people, newest first. ${SEEN_BY}`,
    ...needs('approvals.read'),
    ...connection(ApprovalConnection, {
      most: 200,
      args: {
        status: t.arg({ type: ApprovalStatusEnum, description: 'Only requests in this status. Default: in any.' }),
        kind: t.arg({ type: ApprovalKindEnum, description: 'Only requests of this kind. Default: of any.' }),
      },
    }),
    resolve: (_root, args, call) => listApprovals(call, args, args),
  }),
  approval: t.field({
    type: ApprovalType,
    description: `Returns a request for what takes two independent people. ${SEEN_BY}`,
    ...needs('approvals.read'),
    args: requestArgs,
    resolve: (_root, { id }, call) => getApproval(call, id),
  }),
}));

builder.mutationFields((t) => ({
  grantApproval: t.field({
    type: ApprovalType,
    description:
      'Approves a request, and carries it out. For somebody who may decide on its kind, and is independent of the requester and of those it is about. Within 90 days, neither gave the other access, nor did a third person.' +
      listReasons(
        'approval_by_asker',
        'not_independent',
        'own_account',
        'approval_decided',
        'own_reversal',
        'reversal_too_late',
        'shift_closed',
        'shift_counted',
        'payment_changed',
      ),
    ...needs('approvals.write', { people: 'two' }),
    args: requestArgs,
    resolve: (_root, args, call) => approve(call, args),
    answerAgain: getApproval,
  }),
  refuseApproval: t.field({
    type: ApprovalType,
    description:
      'Refuses a request, for somebody who may decide on its kind; the requester may withdraw it so.' +
      listReasons('approval_decided'),
    ...needs('approvals.write', { people: 'alone' }),
    args: refusalArgs,
    resolve: (_root, args, call) => refuse(call, args),
    answerAgain: getApproval,
  }),
}));
