import { Channel } from '../../generated/prisma/enums.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { ownDocname } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import type { NoticeRoom, NoticeSeverity } from './content.ts';
import { listNotices, noticeLoader, readStatus } from './find.ts';

export const NoticeSeverityEnum = builder.enumType('NoticeSeverity', {
  description: 'The severity of a notice.',
  values: {
    info: { description: 'For information; nothing is to be done.' },
    warning: { description: 'Part of the service is or will be affected.' },
    critical: { description: 'Part of the service does not work.' },
  } as const,
});

export const NoticeRoomEnum = builder.enumType('NoticeRoom', {
  description: 'A part of the site, by the first word of the addresses of its pages.',
  values: {
    counter: { description: 'Pages of counters, for clerks.' },
    supervision: { description: 'Pages of supervision, for supervisors.' },
    console: { description: 'Operators of the rail.' },
    agency: { description: 'The staff of agencies.' },
    oversight: { description: 'Pages of oversight, for auditors and analysts.' },
    dashboard: { description: 'The dashboard, for integrators.' },
  } as const,
});

export const NoticeStatusEnum = builder.enumType('NoticeStatus', {
  description: 'State of a notice at present.',
  values: {
    scheduled: { description: 'Published, and in effect from `startsAt` on.' },
    in_effect: { description: 'It is in effect now.' },
    over: { description: 'It ended at `endsAt`.' },
    withdrawn: { description: 'It was withdrawn by operators.' },
  } as const,
});

const isChannel = (word: string): word is Channel => Object.hasOwn(Channel, word);

export const NoticeType = builder.prismaObject('ServiceNotice', {
  description: 'A notice to users of the service.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('notice')),
    title: t.exposeString('title', { description: 'A title, at most 200 characters.' }),
    body: t.exposeString('body', { description: 'The text, at most 4,000 characters.' }),
    severity: t.field({
      type: NoticeSeverityEnum,
      description: 'Its importance for users.',
      resolve: ({ severity }) => severity as NoticeSeverity,
    }),
    status: t.field({
      type: NoticeStatusEnum,
      description: 'State of the notice at present.',
      resolve: (notice, _args, call) => readStatus(call, notice),
    }),
    channels: t.field({
      type: [ChannelEnum],
      description: 'The payment channels concerned; empty where it is about more than these.',
      resolve: ({ channels }) => channels.filter(isChannel),
    }),
    agencyIds: t.expose('mdas', {
      type: ['ID'],
      description: 'The codes of the agencies concerned; empty where it is about more than these.',
    }),
    agencies: t.field({
      type: ['Agency'],
      description: 'The agencies concerned; empty where it is about more than these.',
      resolve: ({ mdas }, _args, call, info) => Promise.all(mdas.map((code) => follow(call, info, agencyLoader, code))),
    }),
    rooms: t.field({
      type: [NoticeRoomEnum],
      description: 'The parts of the site whose pages show it; empty where all pages do.',
      resolve: ({ rooms }) => rooms as NoticeRoom[],
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Start of the notice.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of the notice; null for until further notice.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the notice was published.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the notice was withdrawn; null if it was not.',
    }),
  }),
});

defineNode({
  typename: 'ServiceNotice',
  needs: [],
  matches: (id) => isDocname('notice', id),
  loader: noticeLoader,
});

export const NoticeConnection = defineConnection('ServiceNotice', NoticeType, 'notices');

builder.queryFields((t) => ({
  notices: t.field({
    description: 'Current and upcoming service notices, newest first. No authentication required.',
    ...connection(NoticeConnection, {
      most: 200,
      args: {
        inEffect: t.arg.boolean({
          description: 'If true, only notices that are in effect now are listed. Default: upcoming notices too.',
        }),
      },
    }),
    resolve: (_root, args, call) => listNotices(call, args, args),
  }),
}));
