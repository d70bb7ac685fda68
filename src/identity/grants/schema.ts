import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { NodeType } from '../../graphql/graph/node.ts';
import type { ApprovalStatus } from '../../generated/prisma/enums.ts';
import { ApprovalType, addRequestFields, refusalArgs, requestArgs } from '../../collection/approvals/schema.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import type { Approval } from '../../collection/approvals/kinds.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { staffLoader } from '../staff/find.ts';
import { StaffType } from '../staff/schema.ts';
import { approveAdminGrant, getAdminGrant, listAdminGrants, refuseAdminGrant, rolesApproval } from './roles.ts';

const AdminGrantStatusEnum = defineEnum<ApprovalStatus>('AdminGrantStatus', 'State of the request.', {
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
    staffId: t.exposeID('subject', { description: 'The e-mail address of the member of staff.' }),
    staff: t.field({
      type: StaffType,
      description: 'The member of staff.',
      resolve: ({ subject }, _args, call, info) => follow(call, info, staffLoader, subject),
    }),
    status: t.expose('status', { type: AdminGrantStatusEnum, description: 'State of the request.' }),
  }),
});

addRequestFields(AdminGrantType);

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
    ...needs('admin.grant', { people: 'two' }),
    args: requestArgs,
    resolve: (_root, args, call) => approveAdminGrant(call, args),
    answerAgain: getAdminGrant,
  }),
  refuseAdminGrant: t.field({
    type: AdminGrantType,
    description:
      'Refuses that a member of staff be made an admin; the requester may withdraw it so. For admins.' +
      listReasons('grant_decided'),
    ...needs('admin.grant', { people: 'alone' }),
    args: refusalArgs,
    resolve: (_root, args, call) => refuseAdminGrant(call, args),
    answerAgain: getAdminGrant,
  }),
}));
