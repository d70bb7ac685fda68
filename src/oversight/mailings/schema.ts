import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { EVERY, type MailEvery, askForMail, stopMail } from './ask.ts';
import { MOST_MAILS } from './days.ts';
import { findPageMail, listPageMails } from './find.ts';

const LANGUAGES = { en: 'English.', fr: 'French.', sw: 'Swahili.', lg: 'Luganda.' } as const;
const EveryEnum = defineEnum<MailEvery>('MailEvery', 'How often figures are mailed, in the morning.', EVERY);
const LanguageEnum = defineEnum('MailLanguage', 'The language of mail.', LANGUAGES);

const PageMailType = builder.prismaObject('PageMail', {
  description: 'A page whose figures the caller gets by mail, as far as they may see them on that day.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The path and query of the page.' }),
    every: t.field({
      type: EveryEnum,
      description: 'How often it is mailed.',
      resolve: ({ every }) => every as MailEvery,
    }),
    language: t.field({
      type: LanguageEnum,
      description: 'The language of the mail.',
      resolve: ({ language }) => language as keyof typeof LANGUAGES,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    sentOn: t.expose('sentOn', {
      type: 'Date',
      description: 'The last day on which it was sent; at first, the day on which it was asked for.',
    }),
  }),
});

const address = shape({ maxLength: 1_000, pattern: String.raw`^/(?![/\\])[\x21-\x7e]*$`, examples: ['/agency'] });

builder.queryFields((t) => ({
  pageMails: t.field({
    type: [PageMailType],
    description: 'The pages whose figures the caller gets by mail, by address. For staff.',
    ...needs('staff'),
    resolve: (_root, _args, call) => listPageMails(call),
  }),
}));

builder.mutationFields((t) => ({
  mailPage: t.field({
    type: PageMailType,
    description: `Has the figures of a page mailed to the caller, from the next day, Monday or first of a month on; at most ${MOST_MAILS} pages. Asked again, how often and in which language changes. For staff.`,
    ...needs('staff'),
    args: {
      address: t.arg.string({
        required: true,
        description: 'The path and query of a page below `/agency` or `/oversight`.',
        ...address,
      }),
      every: t.arg({
        type: EveryEnum,
        required: true,
        defaultValue: 'week',
        description: 'How often. Default: `week`.',
      }),
      language: t.arg({ type: LanguageEnum, required: true, defaultValue: 'en', description: 'Default: `en`.' }),
    },
    resolve: (_root, args, call) => askForMail(call, args),
    answerAgain: async (call, name) => (await findPageMail(call, name))!,
  }),
  stopPageMail: t.boolean({
    description: 'Has a page mailed to the caller no more. False if it was not. For staff.',
    ...needs('staff'),
    args: { address: t.arg.string({ required: true, description: 'The path and query of the page.', ...address }) },
    resolve: (_root, args, call) => stopMail(call, args.address),
  }),
}));
