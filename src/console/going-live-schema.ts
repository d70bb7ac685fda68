import { builder, needs } from '../graphql/builder.ts';
import { connection } from '../graphql/graph/connection.ts';
import { agencyList, between, channelList, docname, integratorCode, requiredText } from '../graphql/input/forms.ts';
import { MOST_REQUESTS_A_MINUTE } from '../accounts/integrators/bounds.ts';
import { approveLiveRequest, refuseLiveRequest } from '../accounts/integrators/going-live/decide.ts';
import { getLiveRequest, listLiveRequests } from '../accounts/integrators/going-live/find.ts';
import {
  LiveRequestConnection,
  LiveRequestStatusEnum,
  LiveRequestType,
} from '../accounts/integrators/going-live/schema.ts';
import { listReasons } from '../kernel/reasons.ts';
import { LONGEST_REASON } from '../kernel/text/free-text.ts';
import { readers, writers } from './audience.ts';

const requestId = builder.args((t) => ({
  id: t.id({
    required: true,
    description: 'The docname of the request, `LIVE-<yyyy>-<6 digits>`.',
    ...docname('liveRequest'),
  }),
}));

builder.queryFields((t) => ({
  liveRequests: t.field({
    description: `Requests of integrators to go live, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(LiveRequestConnection, {
      most: 200,
      args: {
        status: t.arg({ type: LiveRequestStatusEnum, description: 'Only requests in this status. Default: in any.' }),
        integrator: t.arg.id({ description: 'Filter by integrator code.', ...integratorCode }),
      },
    }),
    resolve: (_root, args, call) => listLiveRequests(call, args, args),
  }),
  liveRequest: t.field({
    type: LiveRequestType,
    description: `Returns a request of an integrator to go live. ${readers}`,
    ...needs('operations.read'),
    args: requestId,
    resolve: (_root, { id }, call) => getLiveRequest(call, id),
  }),
}));

builder.mutationFields((t) => ({
  approveLiveRequest: t.field({
    type: LiveRequestType,
    description: `Lets the account go live from its next request on, for these agencies and channels, and e-mails its owner. On a live rail, somebody independent of the caller has to approve that first (\`pendingApproval\`, \`grantApproval\`): the request stays \`Pending\` until then. ${writers}${listReasons('live_request_decided', 'account_not_active', 'approval_pending')}`,
    ...needs('operations.write', { people: 'two' }),
    args: {
      ...requestId,
      agencies: t.arg.stringList({
        description:
          'The codes of the agencies that it may collect for, or `*` alone for all. Default: those asked for.',
        ...agencyList,
      }),
      channels: t.arg.stringList({
        description: 'The payment channels that it may collect by, or `*` alone for all. Default: those asked for.',
        ...channelList,
      }),
      limitPerMinute: t.arg.int({
        description:
          'Number of requests a minute it may send. Default: unchanged, at first as many as its pricing tier allows.',
        ...between(1, MOST_REQUESTS_A_MINUTE),
      }),
    },
    resolve: (_root, args, call) => approveLiveRequest(call, args),
    answerAgain: getLiveRequest,
  }),
  refuseLiveRequest: t.field({
    type: LiveRequestType,
    description: `Refuses the request, and e-mails the owner of the account why. ${writers}${listReasons('live_request_decided')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      ...requestId,
      reason: t.arg.string({
        required: true,
        description: 'The reason, at most 280 characters. The integrator sees it.',
        ...requiredText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => refuseLiveRequest(call, args),
    answerAgain: getLiveRequest,
  }),
}));
