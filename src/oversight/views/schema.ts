import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { email } from '../../graphql/input/forms.ts';
import { type Language, LanguageEnum } from '../../graphql/input/languages.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { type SavedView, findView, getView, listViews } from './find.ts';
import { pageAddress, viewName } from './inputs.ts';
import { EVERY, type MailEvery, mailView, stopMail } from './mail.ts';
import { DAYS, MOST_VIEWS, type ViewDays, daysOf, deleteView, renameView, saveView } from './save.ts';

const EveryEnum = defineEnum<MailEvery>('MailEvery', 'Interval at which figures are mailed, in the morning.', EVERY);
const DaysEnum = defineEnum<ViewDays>('ViewDays', 'The days that a saved view shows.', DAYS);

const SavedViewType = builder.objectRef<SavedView>('SavedView').implement({
  description:
    'A page of figures that a member of staff keeps under a name. Everybody sees at its address, and gets by mail, what they may see themselves.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The unique identifier: a UUID.' }),
    name: t.exposeString('name', { description: 'Name that its owner gave it.' }),
    owner: t.exposeString('owner', { description: 'The e-mail address of its owner.' }),
    address: t.exposeString('address', { description: 'The path and query of the page.' }),
    days: t.field({
      type: DaysEnum,
      description: 'Kind of its days: fixed, or moving with the calendar.',
      resolve: ({ address }) => daysOf(address),
    }),
    every: t.field({
      type: EveryEnum,
      nullable: true,
      description: 'Interval at which it is mailed; null if it is not.',
      resolve: ({ every }) => every as MailEvery | null,
    }),
    language: t.field({
      type: LanguageEnum,
      description: 'The language of its mail.',
      resolve: ({ language }) => language as Language,
    }),
    recipients: t.exposeStringList('recipients', {
      description: 'The e-mail addresses of the staff who get it by mail.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was saved.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

const id = { required: true, description: 'The ID of the saved view: a UUID.' } as const;
const NOT_THERE = '`not_found` if the caller has no such view. For staff.';

builder.queryFields((t) => ({
  savedViews: t.field({
    type: [SavedViewType],
    description: 'The saved views that the caller owns or gets by mail, by name. For staff.',
    ...needs('staff'),
    resolve: (_root, _args, call) => listViews(call),
  }),
  savedView: t.field({
    type: SavedViewType,
    nullable: true,
    description: 'One of them; null where there is none. For staff.',
    ...needs('staff'),
    args: { id: t.arg.id(id) },
    resolve: (_root, args, call) => findView(call, args.id),
  }),
}));

builder.mutationFields((t) => ({
  saveView: t.field({
    type: SavedViewType,
    description: `Saves a page of figures under a name; at most ${MOST_VIEWS} a person. For staff.`,
    ...needs('staff', { people: 'alone' }),
    args: {
      name: t.arg.string(viewName),
      address: t.arg.string(pageAddress),
      days: t.arg({
        type: DaysEnum,
        description:
          '`relative` leaves out the days that the address names; `fixed` is refused where it names none. Default: as the address has it.',
      }),
    },
    resolve: (_root, args, call) => saveView(call, { ...args, days: args.days }),
    answerAgain: getView,
  }),
  renameView: t.field({
    type: SavedViewType,
    description: `Renames a saved view of the caller's. ${NOT_THERE}`,
    ...needs('staff', { people: 'alone', missing: true }),
    args: { id: t.arg.id(id), name: t.arg.string(viewName) },
    resolve: (_root, args, call) => renameView(call, args),
    answerAgain: getView,
  }),
  mailView: t.field({
    type: SavedViewType,
    description: `Has a saved view of the caller's mailed to these staff alone, from the next day, Monday or first of a month on. Each gets it as they may see it, and nothing while they may not see the page. Repeated, it changes how often, to whom and in which language. ${NOT_THERE}`,
    ...needs('staff', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id(id),
      every: t.arg({
        type: EveryEnum,
        required: true,
        defaultValue: 'week',
        description: 'Interval at which it is mailed. Default: `week`.',
      }),
      recipients: t.arg.stringList({
        required: true,
        description: 'The e-mail addresses of active staff.',
        ...shape({ minItems: 1, maxItems: 20, items: email.extensions.shape }),
      }),
      language: t.arg({
        type: LanguageEnum,
        required: true,
        defaultValue: 'en',
        description: 'The language of the mail. Default: `en`.',
      }),
    },
    resolve: (_root, args, call) => mailView(call, args),
    answerAgain: getView,
  }),
  stopViewMail: t.boolean({
    description: `Stops the mail of a saved view: all of it for its owner, their own for others who get it. Answers true. \`not_found\` if the caller has no such view, or it is not mailed. For staff.`,
    ...needs('staff', { people: 'alone', missing: true }),
    args: { id: t.arg.id(id) },
    resolve: (_root, args, call) => stopMail(call, args.id),
    answerAgain: () => true,
  }),
  deleteView: t.boolean({
    description: `Deletes a saved view of the caller's, and its mail. Answers true. ${NOT_THERE}`,
    ...needs('staff', { people: 'alone', missing: true }),
    args: { id: t.arg.id(id) },
    resolve: (_root, args, call) => deleteView(call, args.id),
    answerAgain: () => true,
  }),
}));
