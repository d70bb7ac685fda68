import { builder, needs } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyList, channelList, freeText, integratorCode, ownDocname } from '../../../graphql/input/forms.ts';
import { PART_OF_ACCOUNT } from '../../../platform/access/needs.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_TEXT } from '../../../kernel/text/free-text.ts';
import { pendingApprovalOf } from '../../../collection/approvals/find.ts';
import { ApprovalType } from '../../../collection/approvals/schema.ts';
import { integratorLoader } from '../find.ts';
import { IntegratorType } from '../integrator-schema.ts';
import { liveApproval } from './decide.ts';
import { type LiveRequest, getLiveRequest, listLiveRequests, liveRequestLoader } from './find.ts';
import { requestLive } from './request.ts';

export const LiveRequestStatusEnum = builder.enumType('LiveRequestStatus', {
  description: 'The status of a request to go live.',
  values: {
    Pending: { description: 'Operators have not decided yet.' },
    Approved: { description: 'The account is live: it may issue live keys.' },
    Refused: { description: 'Refused, for the reason given; another request may be made.' },
  } as const,
});

export const LiveRequestType = builder.objectRef<LiveRequest>('LiveRequest').implement({
  description: 'A request of an integrator to go live, and what operators decided of it.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('liveRequest')),
    integratorId: t.exposeID('integrator', {
      description: 'The code of the integrator that asks.',
      ...integratorCode,
    }),
    integrator: t.field({
      type: IntegratorType,
      description: 'The integrator that asks.',
      ...needs(PART_OF_ACCOUNT),
      resolve: ({ integrator }, _args, call, info) => follow(call, info, integratorLoader, integrator),
    }),
    status: t.expose('status', {
      type: LiveRequestStatusEnum,
      description: 'State of the request: pending, approved or refused.',
    }),
    agencies: t.exposeStringList('agencies', {
      description: 'The codes of the agencies asked for; `*` for all.',
    }),
    channels: t.exposeStringList('channels', { description: 'The payment channels asked for; `*` for all.' }),
    note: t.exposeString('note', { nullable: true, description: 'Note of the integrator to operators.' }),
    approvedAgencies: t.exposeStringList('approvedAgencies', {
      description: 'The codes of the agencies that were approved, `*` for all; empty where nothing is.',
    }),
    approvedChannels: t.exposeStringList('approvedChannels', {
      description: 'The payment channels that were approved, `*` for all; empty where nothing is.',
    }),
    limitPerMinute: t.exposeInt('limitPerMinute', {
      nullable: true,
      description: 'Number of requests a minute that were approved; null: as many as the pricing tier allows.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Reason why it was refused.' }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'Member of staff who decided it. For admins, system managers and the oversight role.',
      ...needs('operations.read', { alone: true }),
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The approval of an operator that an independent one has to confirm before the account goes live. Null if none waits, and for callers who may not see it.',
      resolve: ({ status, integrator }, _args, call) =>
        status === 'Pending' ? pendingApprovalOf(call, liveApproval, integrator) : null,
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'Time of the decision.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'LiveRequest',
  needs: [PART_OF_ACCOUNT],
  matches: (id) => isDocname('liveRequest', id),
  loader: liveRequestLoader,
});

export const LiveRequestConnection = defineConnection('LiveRequest', LiveRequestType, 'requests to go live');

builder.queryFields((t) => ({
  myLiveRequests: t.field({
    description: 'The requests of your account to go live, newest first. Requires a session or a key.',
    ...needs('account'),
    ...connection(LiveRequestConnection, {
      most: 200,
      args: {
        status: t.arg({ type: LiveRequestStatusEnum, description: 'Only requests in this status. Default: in any.' }),
      },
    }),
    resolve: (_root, args, call) => listLiveRequests(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  requestLive: t.field({
    type: LiveRequestType,
    description:
      'Asks operators for your account to go live, for some agencies and channels; or, once it is, for others. Requires a session, or a key that manages the account. The decision is e-mailed.' +
      listReasons('live_request_pending'),
    ...needs('account.manage'),
    args: {
      agencies: t.arg.stringList({
        required: true,
        description: 'The codes of the agencies that you collect for, or `*` alone for all.',
        ...agencyList,
      }),
      channels: t.arg.stringList({
        required: true,
        description: 'The payment channels that you collect by, or `*` alone for all.',
        ...channelList,
      }),
      note: t.arg.string({
        description: 'Note to operators, such as who you are and what you are going to do; at most 1,000 characters.',
        ...freeText(LONGEST_TEXT),
      }),
    },
    resolve: (_root, args, call) => requestLive(call, args),
    answerAgain: getLiveRequest,
  }),
}));
