import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { REASON, between, docnameArg } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { MOST_LINES } from '../../assessments/create.ts';
import { LINE_REASONS, LineInputType } from '../../assessments/schema.ts';
import { readCancelled } from './cancel.ts';
import { FEWEST_INSTALMENTS, type Instalments, MOST_INSTALMENTS, PERIODS } from './instalments.ts';
import { previewReplacement, replaceAssessment } from './replace.ts';
import type { Part, Terms } from './replacement.ts';

const PeriodEnum = defineEnum<Instalments['every']>('InstalmentPeriod', 'The time between two instalments.', PERIODS);

const InstalmentsType = builder.inputType('InstalmentsInput', {
  description:
    'Payment of an assessment in instalments. Each line is divided into equal parts; minor units that are left go to the first ones.',
  fields: (t) => ({
    count: t.int({
      required: true,
      description: 'The number of instalments, 2 to 24.',
      ...between(FEWEST_INSTALMENTS, MOST_INSTALMENTS),
    }),
    firstDueOn: t.field({
      type: 'Date',
      required: true,
      description: "The day by which the first is due, `YYYY-MM-DD` in the agency's country: today or later.",
    }),
    every: t.field({ type: PeriodEnum, required: true, description: 'The time between two instalments.' }),
  }),
});

const PartInputType = builder.inputType('ReplacementPartInput', {
  description: 'An assessment that replaces another: priced as one that is made now.',
  fields: (t) => ({
    lines: t.field({
      type: [LineInputType],
      required: true,
      description: 'The services to assess: 1 to 100, of agencies that the replaced one owes something to.',
      ...shape({ minItems: 1, maxItems: MOST_LINES }),
    }),
    dueOn: t.field({
      type: 'Date',
      required: true,
      description: "The day by which it is due, `YYYY-MM-DD` in the agency's country: today or later.",
    }),
  }),
});

const termsArgs = builder.args((t) => ({
  instalments: t.field({ type: InstalmentsType, description: 'The instalments that replace it. This, or `parts`.' }),
  parts: t.field({
    type: [PartInputType],
    description: 'The assessments that replace it: 1 to 24, in its currency. This, or `instalments`.',
    ...shape({ minItems: 1, maxItems: MOST_INSTALMENTS }),
  }),
}));

const PartType = builder.objectRef<Part>('ReplacementPart').implement({
  description: 'An assessment that would replace another.',
  fields: (t) => ({
    dueOn: t.expose('dueOn', { type: 'Date', description: "The day by which it is due, in the agency's country." }),
    totalAmount: t.expose('totalAmount', { type: 'Decimal', description: 'The sum of its lines.' }),
  }),
});

const PreviewType = builder.objectRef<Terms>('AssessmentReplacement').implement({
  description: 'Effects of replacing an assessment by others.',
  fields: (t) => ({
    takesApproval: t.exposeBoolean('takesApproval', {
      description: 'True if it would wait for another, independent person to approve it.',
    }),
    parts: t.field({
      type: [PartType],
      description: 'The assessments that would replace it, in order.',
      resolve: ({ parts }) => [...parts],
    }),
  }),
});

builder.queryFields((t) => ({
  assessmentReplacement: t.field({
    type: PreviewType,
    description:
      'Says what `replaceAssessment` would do, and changes nothing. For those who may use it. It refuses what that would refuse.' +
      listReasons('not_assessed', ...LINE_REASONS),
    ...needs('replacements.write'),
    args: { id: t.arg.id(docnameArg('assessment')), ...termsArgs },
    resolve: (_root, { id, ...asked }, call) => previewReplacement(call, id, asked),
  }),
}));

builder.mutationFields((t) => ({
  replaceAssessment: t.field({
    type: 'Assessment',
    description:
      'Replaces an Assessed assessment by instalments, or by others, such as after an objection. It is Cancelled, those in `replacedBy` are Assessed, and `assessment.cancelled` is sent. Money that is collected for it later is late. On a live rail it is asked for where less is owed then, or any of it later. The assessment is answered as it is until an operator, or a finance officer of its agencies, approves (`pendingApproval`). For supervisors, finance officers and operators within their agencies; and for tokens of agencies with the scopes `assessments.write` and `assessments.cancel`, whose own it is alone.' +
      listReasons('not_assessed', ...LINE_REASONS, 'approval_pending'),
    ...needs('replacements.write', { people: 'two where it widens' }),
    args: { id: t.arg.id(docnameArg('assessment')), reason: t.arg.string(REASON), ...termsArgs },
    resolve: (_root, { id, ...asked }, call) => replaceAssessment(call, { ...asked, name: id }),
    answerAgain: readCancelled,
  }),
}));
