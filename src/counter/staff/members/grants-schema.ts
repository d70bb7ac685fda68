import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { NodeType } from '../../../graphql/graph/node.ts';
import { docname, requiredText } from '../../../graphql/input/forms.ts';
import type { ApprovalStatus } from '../../../generated/prisma/enums.ts';
import { ApprovalType } from '../../../collection/approvals/schema.ts';
import { type Approval, pendingApprovalOf } from '../../../collection/approvals/find.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_REASON } from '../../../kernel/text/free-text.ts';
import { staffLoader } from '../find.ts';
import { StaffType } from '../schema.ts';
import { approveAdminGrant, getAdminGrant, listAdminGrants, refuseAdminGrant, rolesApproval } from './roles.ts';

const AdminGrantStatusEnum = defineEnum<ApprovalStatus>('AdminGrantStatus', 'Whether it has been decided.', {
  Pending: 'Another admin than the one who asked has yet to decide.',
  Approved: 'The member of staff was made an admin.',
  Refused: 'It was refused, or taken back.',
  Expired: 'Nobody decided within 7 days.',
});

const AdminGrantType = builder.objectRef<Approval>('AdminGrant').implement({
  description:
    'A request that a member of staff be made an admin: one admin asks, another decides. It is an `Approval`, of kind `roles`, and has the same ID.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier (docname), `GRANT-<yyyy>-<6 digits>`.',
      ...docname('grant'),
    }),
    staffId: t.exposeID('subject', { description: 'The e-mail address of the member of staff.' }),
    staff: t.field({
      type: StaffType,
      description: 'The member of staff.',
      resolve: ({ subject }, _args, call, info) => follow(call, info, staffLoader, subject),
    }),
    status: t.expose('status', { type: AdminGrantStatusEnum, description: 'Whether it has been decided.' }),
    askedBy: t.exposeString('askedBy', { description: 'The e-mail address of the admin who asked.' }),
    askedReason: t.exposeString('askedReason', { nullable: true, description: 'The reason given; null if none was.' }),
    decidedBy: t.exposeString('decidedBy', { nullable: true, description: 'Who decided; null if nobody has.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided; null if it has not been.',
    }),
    decidedReason: t.exposeString('decidedReason', {
      nullable: true,
      description: 'Why it was refused; null if it was not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const AdminGrantConnection = defineConnection('AdminGrant', AdminGrantType, 'requests');

builder.objectFields(StaffType, (t) => ({
  pendingApproval: t.field({
    type: ApprovalType,
    nullable: true,
    description:
      'The request for roles that they have once somebody independent approves it; null if none waits, and for callers who may not see it.',
    resolve: ({ email }, _args, call) => pendingApprovalOf(call, rolesApproval, email),
  }),
}));

builder.queryFields((t) => ({
  adminGrants: t.field({
    description:
      'Requests that somebody be made an admin, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(AdminGrantConnection, {
      most: 200,
      args: {
        status: t.arg({ type: AdminGrantStatusEnum, description: 'Only requests in this status. Default: in any.' }),
      },
    }),
    resolve: (_root, args, call) => listAdminGrants(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  approveAdminGrant: t.field({
    type: AdminGrantType,
    description:
      'Makes a member of staff an admin, as another admin has asked. For admins.' +
      listReasons('grant_by_asker', 'not_independent', 'own_account', 'grant_decided', 'staff_not_active'),
    ...needs('admin.grant'),
    args: { id: t.arg.id({ required: true, description: 'The docname of the request.', ...docname('grant') }) },
    resolve: (_root, args, call) => approveAdminGrant(call, args),
    answerAgain: getAdminGrant,
  }),
  refuseAdminGrant: t.field({
    type: AdminGrantType,
    description:
      'Refuses that a member of staff be made an admin; whoever asked may take it back so. For admins.' +
      listReasons('grant_decided'),
    ...needs('admin.grant'),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the request.', ...docname('grant') }),
      reason: t.arg.string({
        required: true,
        description: 'The reason, at most 280 characters.',
        ...requiredText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => refuseAdminGrant(call, args),
    answerAgain: getAdminGrant,
  }),
}));
