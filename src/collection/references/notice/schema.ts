import { builder, needs } from '../../../graphql/builder.ts';
import { currencyCode, docname, docnameArg } from '../../../graphql/input/forms.ts';
import { LanguageEnum } from '../../../graphql/input/languages.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LineType } from '../../assessments/schema.ts';
import { FORMS } from '../../receipts/document.ts';
import { DocumentType } from '../../receipts/schema.ts';
import { type Form, drawNotice } from './draw.ts';
import { type Notice, getNotice, getPublicNotice, groundOf, isWholeFor, linesOf, numberOf, payerOf } from './find.ts';

const FormEnum = builder.enumType('AssessmentNoticeForm', {
  description: 'Format of a notice.',
  values: {
    pdf: { value: 'application/pdf' satisfies Form, description: FORMS['application/pdf'] },
    text: { value: 'text/plain' satisfies Form, description: FORMS['text/plain'] },
  },
});

builder.prismaObjectField(LineType, 'law', (t) =>
  t.string({
    nullable: true,
    description: 'The law that the tariff stood in by which the line is charged; null for a fee for each piece.',
    resolve: async (line, _args, call) => (await groundOf(call, line)).law,
  }),
);

const NoticeType = builder.objectRef<Notice>('AssessmentNotice').implement({
  description: 'Demand of an assessment: for what, by which law, by when, and the number to pay by.',
  fields: (t) => ({
    assessmentId: t.id({
      nullable: true,
      description: 'The docname of the assessment; null for who asks by a payment reference.',
      ...docname('assessment'),
      resolve: ({ visible, name }) => (visible ? name : null),
    }),
    citizenId: t.id({
      nullable: true,
      description: 'The docname of the citizen who owes it; null for who asks by a payment reference.',
      ...docname('citizen'),
      resolve: ({ visible, citizen }) => (visible ? citizen : null),
    }),
    payerName: t.string({
      nullable: true,
      resolve: (notice, _args, call) => payerOf(call, notice),
      description:
        'The name of the citizen who owes it. Scope `citizens.read`; null without, and for who asks by a payment reference.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    totalAmount: t.expose('totalAmount', { type: 'Decimal', description: 'The sum of all lines.' }),
    lines: t.field({
      type: [LineType],
      description: 'The lines, in order. Who is bound to agencies sees the lines of these alone, and the total of all.',
      resolve: (notice, _args, call) => linesOf(call, notice),
    }),
    assessedAt: t.expose('assessedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the amounts were fixed.',
    }),
    dueOn: t.expose('dueOn', {
      type: 'Date',
      nullable: true,
      description: "The day by which it is to be paid, in the agency's country; null if none was set.",
    }),
    number: t.string({
      nullable: true,
      description: 'The payment reference to pay by; null without one that can be paid.',
      ...shape({ examples: ['4820917365135'] }),
      resolve: async (notice, _args, call) => (await numberOf(call, notice))?.number ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time until which that number can be paid; null without one.',
      resolve: async (notice, _args, call) => (await numberOf(call, notice))?.expiresAt ?? null,
    }),
    document: t.field({
      type: DocumentType,
      nullable: true,
      complexity: 100,
      description: 'The notice in a form for people. Null for who is bound to some of several agencies that are owed.',
      args: {
        form: t.arg({ type: FormEnum, required: true, description: 'The form that is asked for.' }),
        language: t.arg({ type: LanguageEnum, description: 'The language of its words. Default: English.' }),
      },
      resolve: async (notice, { form, language }, call) =>
        (await isWholeFor(call, notice)) ? drawNotice(call, notice, { form, language: language ?? 'en' }) : null,
    }),
  }),
});

builder.queryFields((t) => ({
  assessmentNotice: t.field({
    type: NoticeType,
    description:
      'Returns the notice of an Assessed assessment to its payer. Scope `assessments.read`. `not_found` if it does not exist.' +
      listReasons('assessment_not_payable'),
    ...needs('assessments.read'),
    args: { id: t.arg.id(docnameArg('assessment')) },
    resolve: (_root, { id }, call) => getNotice(call, id),
  }),
  referenceNotice: t.field({
    type: NoticeType,
    description:
      'Returns the same by the number of a payment reference that can be paid, to everybody, without the person. `not_found` for a number that is unknown or mistyped; `rate_limited` after 10 of these in a minute.' +
      listReasons('reference_not_payable'),
    args: {
      number: t.arg.id({ required: true, description: 'The number: 13 digits.', ...shape({ maxLength: 255 }) }),
    },
    resolve: (_root, { number }, call) => getPublicNotice(call, number),
  }),
}));
