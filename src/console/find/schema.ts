import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { NodeType, followToAny } from '../../graphql/graph/node.ts';
import { freeText } from '../../graphql/input/forms.ts';
import { languageArg } from '../../graphql/input/languages.ts';
import { nameIn } from '../../collection/catalogue/names.ts';
import { FOUND_KINDS, type Finding, type FoundKind, find } from './find.ts';

const KindEnum = defineEnum<FoundKind>('FoundKind', 'Kind of record that was found.', FOUND_KINDS);

const FindingType = builder.objectRef<Finding>('Finding').implement({
  description: 'A record that was found, with what tells it from others.',
  fields: (t) => ({
    kind: t.expose('kind', { type: KindEnum, description: 'Kind of the record.' }),
    subjectId: t.exposeID('subject', {
      description: 'Its unique identifier: a docname, a code, or an e-mail address.',
    }),
    subject: t.field({
      type: NodeType,
      nullable: true,
      description: 'The record, under the rules of the query for its type.',
      resolve: ({ subject }, _args, call, info) => followToAny(call, info, subject),
    }),
    title: t.string({
      nullable: true,
      description: 'Name of the person, organisation, service or agency.',
      args: languageArg,
      resolve: ({ title, names }, { language }) => title && nameIn(language, title, { names }),
    }),
    status: t.exposeString('status', { nullable: true, description: 'Its status, as its own type has it.' }),
    amount: t.expose('amount', { type: 'Decimal', nullable: true, description: 'Its amount, if it has one.' }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of the amount (ISO 4217); null without one.',
    }),
    at: t.expose('at', { type: 'DateTime', nullable: true, description: 'Time at which it was created.' }),
    whose: t.exposeString('whose', {
      nullable: true,
      description:
        'Owner: the payer, or the code of an agency. The payer has a name for those with `citizens.read`, and initials for others who searched for a person.',
    }),
  }),
});

const LONGEST = 140;

builder.queryFields((t) => ({
  find: t.field({
    type: [FindingType],
    description:
      'Finds records by anything that they are known by. That is a docname in any case, a reference or transaction ID of a provider, or the receipt of an agency. It is a phone number as people write it (`0700 010 003`, `+256…`), a NIN, or a name. It is an amount with or without its currency (`UGX 143,000`), an organisation, an e-mail address, a service, or an agency. They are answered in the order of kinds, at most 10 of each that the caller may see. With a person come their last 5 assessments. Each citizen in the answer is recorded as a look-up. For staff.',
    ...needs('staff'),
    complexity: 200,
    args: {
      q: t.arg.string({
        description: `Text to look for, at most ${LONGEST} characters. Fewer than 2 find nothing.`,
        ...freeText(LONGEST),
      }),
    },
    resolve: (_root, { q }, call) => find(call, q ?? ''),
  }),
}));
