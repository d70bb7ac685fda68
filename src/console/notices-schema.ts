import { builder, needs } from '../graphql/builder.ts';
import { connection } from '../graphql/graph/connection.ts';
import { REASON, docname, freeText, requiredText } from '../graphql/input/forms.ts';
import { shape } from '../graphql/input/shapes.ts';
import { listReasons } from '../kernel/reasons.ts';
import { LONGEST_NAME, LONGEST_NOTE, LONGEST_REASON } from '../kernel/text/free-text.ts';
import { AGENCY_CODE } from '../kernel/text/identifiers.ts';
import { ChannelEnum } from '../collection/payments/schema/intent-schema.ts';
import { amendNotice, withdrawNotice } from '../accounts/notices/amend.ts';
import { getNotice, listAllNotices } from '../accounts/notices/find.ts';
import { publishNotice } from '../accounts/notices/publish.ts';
import {
  NoticeConnection,
  NoticeRoomEnum,
  NoticeSeverityEnum,
  NoticeStatusEnum,
  NoticeType,
} from '../accounts/notices/schema.ts';
import { readers, writers } from './audience.ts';

const concerned = builder.args((t) => ({
  channels: t.field({
    type: [ChannelEnum],
    description: 'The payment channels concerned. Default: it is about more than these.',
    ...shape({ maxItems: 20 }),
  }),
  agencies: t.idList({
    description: 'The codes of the agencies concerned. Default: it is about more than these.',
    ...shape({ maxItems: 200, items: { pattern: AGENCY_CODE.source, examples: ['URA'] } }),
  }),
  rooms: t.field({
    type: [NoticeRoomEnum],
    description: 'The parts of the site whose pages show the notice. Default: all pages do.',
    ...shape({ maxItems: 6 }),
  }),
}));

const TOLD =
  'Unless it is for other parts of the site than `dashboard`, every Active integrator with an endpoint is told by a webhook message';

builder.queryFields((t) => ({
  allNotices: t.field({
    description: `All notices that were published, newest first, with those that are over or withdrawn. ${readers}`,
    ...needs('operations.read'),
    ...connection(NoticeConnection, {
      most: 200,
      args: { status: t.arg({ type: NoticeStatusEnum, description: 'Only notices in this status. Default: in any.' }) },
    }),
    resolve: (_root, args, call) => listAllNotices(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  publishNotice: t.field({
    type: NoticeType,
    description: `Publishes a service notice. ${TOLD}, \`notice.published\`. For admins and system managers.`,
    ...needs('operations.write', { people: 'alone' }),
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
      severity: t.arg({ type: NoticeSeverityEnum, required: true, description: 'Its importance for users.' }),
      startsAt: t.arg({
        type: 'DateTime',
        description: 'Start of the notice. A date without a time means the start of that day. Default: now.',
      }),
      endsAt: t.arg({
        type: 'DateTime',
        description:
          'End of the notice. A date without a time, `YYYY-MM-DD`, includes that day. Default: until further notice.',
      }),
      ...concerned,
    },
    resolve: (_root, args, call) => publishNotice(call, args),
    answerAgain: getNotice,
  }),
  amendNotice: t.field({
    type: NoticeType,
    description: `Changes a notice; what is left out stays as it is. ${TOLD} again, \`notice.published\`. ${writers}${listReasons('notice_withdrawn')}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the notice.', ...docname('notice') }),
      title: t.arg.string({
        description: 'A short title, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      body: t.arg.string({
        description: 'The text, at most 4,000 characters.',
        ...requiredText(LONGEST_NOTE),
      }),
      severity: t.arg({ type: NoticeSeverityEnum, description: 'Its importance for users.' }),
      startsAt: t.arg({
        type: 'DateTime',
        description: 'Start of the notice. A date without a time means the start of that day.',
      }),
      endsAt: t.arg({
        type: 'DateTime',
        description:
          'End of the notice; null for until further notice. A date without a time, `YYYY-MM-DD`, includes that day.',
      }),
      ...concerned,
      reason: t.arg.string({ description: 'The reason, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => amendNotice(call, args),
    answerAgain: getNotice,
  }),
  withdrawNotice: t.field({
    type: NoticeType,
    description: `Withdraws a notice, which nobody sees any more from then on. One that was withdrawn before is answered as it is. ${TOLD}, \`notice.withdrawn\`. ${writers}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the notice.', ...docname('notice') }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => withdrawNotice(call, args),
    answerAgain: getNotice,
  }),
}));
