import { builder, needs } from '../../graphql/builder.ts';
import { docname, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { type Severity, getNotice, listNotices, publishNotice } from './publish.ts';
import { LONGEST_NAME, LONGEST_NOTE } from '../../kernel/text.ts';

const SeverityEnum = builder.enumType('NoticeSeverity', {
  description: 'How much a notice matters.',
  values: {
    info: { description: 'Good to know.' },
    warning: { description: 'Something will not work as usual.' },
    critical: { description: 'Something does not work.' },
  } as const,
});

builder.prismaObject('ServiceNotice', {
  description: 'What the service has to tell its users.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `NOTICE-<yyyy>-<3 digits>`.', ...docname('notice') }),
    title: t.exposeString('title', { description: 'In short.' }),
    body: t.exposeString('body', { description: 'In full.' }),
    severity: t.field({ type: SeverityEnum, description: 'How much it matters.', resolve: ({ severity }) => severity as Severity }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'From when on it holds.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true, description: 'Until when.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was published.' }),
  }),
});

builder.queryFields((t) => ({
  notices: t.prismaField({
    type: ['ServiceNotice'],
    description: 'Notices that are not over, newest first. Open to everyone.',
    args: pageArgs(50, 200),
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listNotices(call, args),
  }),
}));

builder.mutationFields((t) => ({
  publishNotice: t.prismaField({
    type: 'ServiceNotice',
    description: 'Tells users of the service something. For admins and system managers.',
    ...needs('operations.write'),
    args: {
      title: t.arg.string({ required: true, description: 'In short, at most 200 characters.', ...someText(LONGEST_NAME) }),
      body: t.arg.string({ required: true, description: 'In full, at most 4,000 characters.', ...someText(LONGEST_NOTE) }),
      severity: t.arg({ type: SeverityEnum, required: true, description: 'How much it matters.' }),
      startsAt: t.arg({ type: 'DateTime', description: 'From when on it holds; a bare day is its beginning; left out: from now on.' }),
      endsAt: t.arg({ type: 'DateTime', description: 'Until when; a bare day, `YYYY-MM-DD`, is included whole; left out: until further notice.' }),
    },
    resolve: (_query, _root, args, call) => publishNotice(call, args),
    answerAgain: getNotice,
  }),
}));
