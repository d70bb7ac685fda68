import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { docname, requiredText } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type NoticeSeverity, getNotice, listNotices, noticeLoader, publishNotice } from './publish.ts';
import { LONGEST_NAME, LONGEST_NOTE } from '../../kernel/text/free-text.ts';

const SeverityEnum = builder.enumType('NoticeSeverity', {
  description: 'The severity of a notice.',
  values: {
    info: { description: 'For information; nothing is to be done.' },
    warning: { description: 'Part of the service is or will be affected.' },
    critical: { description: 'Part of the service does not work.' },
  } as const,
});

const NoticeType = builder.prismaObject('ServiceNotice', {
  description: 'A notice to users of the service.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier (docname), `NOTICE-<yyyy>-<3 digits>`.',
      ...docname('notice'),
    }),
    title: t.exposeString('title', { description: 'A title, at most 200 characters.' }),
    body: t.exposeString('body', { description: 'The text, at most 4,000 characters.' }),
    severity: t.field({
      type: SeverityEnum,
      description: 'How much it matters to users.',
      resolve: ({ severity }) => severity as NoticeSeverity,
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the notice takes effect.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the notice ends; null for until further notice.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the notice was published.' }),
  }),
});

defineNode({
  typename: 'ServiceNotice',
  needs: [],
  matches: (id) => isDocname('notice', id),
  loader: noticeLoader,
});

const NoticeConnection = defineConnection('ServiceNotice', NoticeType, 'notices');

builder.queryFields((t) => ({
  notices: t.field({
    description: 'Current and upcoming service notices, newest first. No authentication required.',
    ...connection(NoticeConnection, { most: 200, args: {} }),
    resolve: (_root, args, call) => listNotices(call, args),
  }),
}));

builder.mutationFields((t) => ({
  publishNotice: t.field({
    type: 'ServiceNotice',
    description: 'Publishes a service notice. For admins and system managers.',
    ...needs('operations.write'),
    args: {
      title: t.arg.string({
        required: true,
        description: 'A short title, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      body: t.arg.string({
        required: true,
        description: 'The text, at most 4,000 characters.',
        ...requiredText(LONGEST_NOTE),
      }),
      severity: t.arg({ type: SeverityEnum, required: true, description: 'How much it matters to users.' }),
      startsAt: t.arg({
        type: 'DateTime',
        description: 'When the notice takes effect. A date without a time means the start of that day. Default: now.',
      }),
      endsAt: t.arg({
        type: 'DateTime',
        description:
          'When the notice ends. A date without a time, `YYYY-MM-DD`, includes that day. Default: until further notice.',
      }),
    },
    resolve: (_root, args, call) => publishNotice(call, args),
    answerAgain: getNotice,
  }),
}));
