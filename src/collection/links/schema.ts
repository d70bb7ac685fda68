import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { between, docname, docnameArg, ownDocname } from '../../graphql/input/forms.ts';
import { currencyArgs } from '../../graphql/input/currency.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { ChannelEnum, IntentConnection } from '../payments/schema/intent-schema.ts';
import { listIntentsOfLink } from '../payments/find.ts';
import { type LinkIssue, createAgain, createPaymentLink } from './create.ts';
import { type PaymentLink, getLink, linkLoader, listLinks, listLinksOf } from './find.ts';
import { type LinkStatus, linkStatusOf } from './lifecycle.ts';
import { withdrawPaymentLink } from './withdraw.ts';
import './page/schema.ts';
import { assessmentField } from '../assessments/edges.ts';

const DEFAULT_HOURS = 72;
const MOST_HOURS = 2_160;
const MOST_CHANNELS = 20;

const StatusEnum = defineEnum<LinkStatus>('PaymentLinkStatus', 'The status of a payment link.', {
  Open: 'The assessment can be paid by it, if it can be paid at all.',
  Expired: 'Its time is over; another can be made.',
  Withdrawn: 'It was withdrawn: nothing is paid by it any more.',
});

const LinkType = builder.objectRef<PaymentLink>('PaymentLink').implement({
  description: 'A link to a page at which an assessment can be paid by anybody who has the link.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('link')),
    assessmentId: t.exposeID('assessment', {
      description: 'The docname of the assessment to be paid.',
      ...docname('assessment'),
    }),
    assessment: t.field(assessmentField('The assessment to be paid.')),
    channels: t.field({
      type: [ChannelEnum],
      description: 'The payment channels that its page offers; empty if it offers all that are open.',
      resolve: ({ channels }) => [...channels],
    }),
    returnUrl: t.string({
      nullable: true,
      description:
        'Address that its page leads back to after the payment. Null if nowhere, and for all but the account that made it.',
      resolve: ({ returnUrl, integrator }, _args, { viewer }) =>
        viewer.kind !== 'agency' && viewer.integrator === integrator ? returnUrl : null,
    }),
    status: t.field({
      type: StatusEnum,
      description: 'The current status, as of the moment of the answer.',
      resolve: (link, _args, call) => linkStatusOf(link, call.now()),
    }),
    intents: t.field({
      description: 'The payment intents that were started by it, oldest first.',
      ...connection(IntentConnection, { most: 200, args: {} }),
      resolve: ({ name }, args, call) => listIntentsOfLink(call, name, args),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the assessment can be paid by it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change or payment.' }),
  }),
});

defineNode({
  typename: 'PaymentLink',
  needs: ['payments.read'],
  matches: (id) => isDocname('link', id),
  loader: linkLoader,
});

const LinkConnection = defineConnection('PaymentLink', LinkType, 'payment links');

const IssueType = builder.objectRef<LinkIssue>('PaymentLinkIssue').implement({
  description: 'A payment link that was just made.',
  fields: (t) => ({
    link: t.expose('link', { type: LinkType, description: 'The link, without its address.' }),
    url: t.exposeString('url', {
      description: 'The address of its page, for the payer. Shown only in this response.',
    }),
  }),
});

builder.prismaObjectField('Assessment', 'paymentLinks', (t) =>
  t.field({
    description: 'The payment links that were made for it, newest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(LinkConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listLinksOf(call, name, args),
  }),
);

builder.prismaObjectField('PaymentIntent', 'paymentLink', (t) =>
  t.field({
    type: LinkType,
    nullable: true,
    description: 'The payment link that it was started by; null if it was started in another way.',
    resolve: ({ link }, _args, call, info) => followIfAny(call, info, linkLoader, link),
  }),
);

const idArg = builder.args((t) => ({
  id: t.id(docnameArg('link')),
}));

builder.queryFields((t) => ({
  paymentLink: t.field({
    type: LinkType,
    description: "Returns one of the caller's payment links. Scope `payments.read`. `not_found` if it does not exist.",
    ...needs('payments.read'),
    args: idArg,
    resolve: (_root, { id }, call) => getLink(call, id),
  }),
  paymentLinks: t.field({
    description: "The caller's payment links, newest first. Scope `payments.read`.",
    ...needs('payments.read'),
    ...connection(LinkConnection, {
      most: 500,
      args: {
        assessment: t.arg.id({ description: 'Only links to pay this assessment.' }),
        status: t.arg({ type: StatusEnum, description: 'Only links with this status.' }),
      },
    }),
    resolve: (_root, args, call) => listLinks(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  createPaymentLink: t.field({
    type: IssueType,
    description:
      'Makes a link to a page at which an Assessed assessment can be paid. Send it to the payer alone: who has it can pay, and sees what is owed and the initials of the payer. Scope `payments.initiate`; agencies use a token with `references.issue`, for assessments that are theirs alone.' +
      listReasons(
        'not_found',
        'assessment_not_payable',
        'nothing_to_pay',
        'agency_not_allowed',
        'channel_not_allowed',
        'return_url_not_registered',
      ),
    ...needs('references.issue', { people: 'alone' }),
    args: {
      assessment: t.arg.id({
        required: true,
        description: 'The docname of an Assessed assessment.',
        ...docname('assessment'),
      }),
      channels: t.arg({
        type: [ChannelEnum],
        description:
          'The payment channels that the page offers, other than cash. `bank`, `agent` and `ussd` are paid by a payment reference. Default: all that are open.',
        ...shape({ maxItems: MOST_CHANNELS }),
      }),
      returnUrl: t.arg.string({
        description:
          'Address that the page leads back to after the payment, on a host of `returnHosts` of your account: `intent`, `status` and `reference` are added to its query. These are a hint, never proof.',
        ...shape({ maxLength: 2_048 }),
      }),
      expiresInHours: t.arg.int({
        defaultValue: DEFAULT_HOURS,
        description: `For how many hours it is open, 1 to ${MOST_HOURS}.`,
        ...between(1, MOST_HOURS),
      }),
      ...currencyArgs,
    },
    resolve: (_root, { expiresInHours, ...asked }, call) =>
      createPaymentLink(call, { ...asked, expiresInHours: expiresInHours ?? DEFAULT_HOURS }),
    answerAgain: createAgain,
  }),
  withdrawPaymentLink: t.field({
    type: LinkType,
    description:
      'Withdraws a payment link: nothing is paid by it any more. A payment that was started by it ends as it ends. Needs what making a link needs. `not_found` if it does not exist.',
    ...needs('references.issue', { people: 'alone' }),
    args: idArg,
    resolve: (_root, { id }, call) => withdrawPaymentLink(call, id),
    answerAgain: getLink,
  }),
}));
