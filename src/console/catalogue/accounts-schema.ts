import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { REASON, agencyCode, docname, freeText, ownDocname, requiredText } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_REASON } from '../../kernel/text/free-text.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { approveAccountChange, refuseAccountChange } from '../../collection/catalogue/accounts/decide.ts';
import {
  type AccountChange,
  type AccountChangeStatus,
  accountChangeLoader,
  getAccountChange,
  listAccountChanges,
} from '../../collection/catalogue/accounts/find.ts';
import { LONGEST_ACCOUNT, endOf, requestAccountChange } from '../../collection/catalogue/accounts/request.ts';
import { readers, writers } from '../audience.ts';
import { agencyField } from '../../collection/catalogue/edges.ts';

const StatusEnum = builder.enumType('AccountChangeStatus', {
  description: 'The status of a change of an account.',
  values: {
    Pending: { description: 'Asked for; the agency keeps its account.' },
    Approved: {
      description:
        'Approved by another operator: the agency has the account from `effectiveAt` on. Until then it can still be refused.',
    },
    Refused: { description: 'Refused, or withdrawn by the requester.' },
  } as const,
});

const AccountChangeType = builder.objectRef<AccountChange>('AccountChange').implement({
  description:
    "A change of the account that an agency's money goes to: one operator asks for it, another one approves.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('accountChange')),
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency whose account it is.')),
    status: t.field({
      type: StatusEnum,
      description: 'State of the request.',
      resolve: ({ status }) => status as AccountChangeStatus,
    }),
    accountLast4: t.string({
      description: 'The last four characters of the account asked for.',
      resolve: ({ collectionAccount }) => collectionAccount.slice(-4),
    }),
    formerAccountLast4: t.string({
      nullable: true,
      description: 'The last four characters of the account that the agency had; null if it had none.',
      resolve: ({ formerAccount }) => endOf(formerAccount),
    }),
    reason: t.exposeString('reason', { description: 'Reason for the request.' }),
    requestedBy: t.exposeString('requestedBy', { description: 'The person who requested it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the request.' }),
    decidedBy: t.exposeString('decidedBy', { nullable: true, description: 'Author of the decision; null if none.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the decision; null if undecided.',
    }),
    effectiveAt: t.expose('effectiveAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time from which it gets money: a day after approval on a live rail; null unless it was approved.',
    }),
    appliedAt: t.expose('appliedAt', {
      type: 'DateTime',
      nullable: true,
      description: "Time of the account's first use, within a minute of `effectiveAt`; null if it is not used yet.",
    }),
    decisionNote: t.exposeString('decisionNote', {
      nullable: true,
      description: 'Note of the person who decided.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'AccountChange',
  needs: ['operations.read'],
  matches: (id) => isDocname('accountChange', id),
  loader: accountChangeLoader,
});

const AccountChangeConnection = defineConnection('AccountChange', AccountChangeType, 'changes of accounts');

builder.queryFields((t) => ({
  accountChanges: t.field({
    description: `Changes of agencies' collection accounts, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(AccountChangeConnection, {
      most: 200,
      args: {
        status: t.arg({ type: StatusEnum, description: 'Only those in this status. Default: in any.' }),
        agency: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
      },
    }),
    resolve: (_root, args, call) => listAccountChanges(call, args, args),
  }),
}));

const id = { required: true, description: 'The docname of the change.', ...docname('accountChange') } as const;

builder.mutationFields((t) => ({
  requestAccountChange: t.field({
    type: AccountChangeType,
    description: `Asks that an agency's money goes to another account. Nothing changes until another operator approves. ${writers}${listReasons('account_change_pending')}`,
    ...needs('operations.write', { people: 'two', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: "The agency's short code, such as `URA`.", ...agencyCode }),
      collectionAccount: t.arg.string({
        required: true,
        description: 'The account, 4 to 64 characters. It is never shown whole.',
        ...requiredText(LONGEST_ACCOUNT),
      }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => requestAccountChange(call, args),
    answerAgain: getAccountChange,
  }),
  approveAccountChange: t.field({
    type: AccountChangeType,
    description: `Approves a change of an account that somebody else asked for. On a live rail it takes effect after 24 hours, and all admins and the agency's finance officers are told by mail. In a sandbox it takes effect at once. ${writers}${listReasons('account_change_decided', 'account_change_by_asker', 'not_independent')}`,
    ...needs('operations.write', { people: 'two', missing: true }),
    args: {
      id: t.arg.id(id),
      note: t.arg.string({ description: 'A note, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => approveAccountChange(call, args),
    answerAgain: getAccountChange,
  }),
  refuseAccountChange: t.field({
    type: AccountChangeType,
    description: `Refuses a change of an account that is Pending, or was approved and has not taken effect. The operator who asked for it can withdraw it in this way. ${writers}${listReasons('account_change_decided')}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id(id),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => refuseAccountChange(call, args),
    answerAgain: getAccountChange,
  }),
}));
