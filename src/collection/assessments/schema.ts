import { AssessmentStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, between, currencyCode, docname } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { refusedFor } from '../../kernel/reasons.ts';
import { assess } from './assess.ts';
import { MOST_LINES, MOST_OF_ONE, createAssessment } from './create.ts';
import { getAssessment, listAssessments } from './find.ts';

const AssessmentStatusEnum = builder.enumType(AssessmentStatus, {
  name: 'AssessmentStatus',
  description: 'Where an assessment stands.',
  values: {
    Draft: { description: 'Open: shows current prices, which may still change.' },
    Assessed: { description: 'Its amounts are frozen; it can be paid.' },
    Paid: { description: 'A payment intent over its total was confirmed.' },
    Cancelled: { description: 'No longer to be paid; if it had been, its payments were reversed.' },
  },
});

builder.prismaObject('AssessmentLine', {
  description: 'One service of an assessment, priced by the fee schedule.',
  fields: (t) => ({
    idx: t.exposeInt('idx', { description: 'Its place, from 1.' }),
    service: t.exposeID('service', { description: "The service's docname.", ...docname('service') }),
    serviceName: t.exposeString('serviceName', { description: 'What the service was called at the time.' }),
    mda: t.exposeID('mda', { description: 'The agency to which the amount is owed.', ...agencyCode }),
    quantity: t.exposeInt('quantity', { description: 'How many, 1 to 10,000.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'The fee for one.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Rate times quantity.' }),
  }),
});

builder.prismaObject('Assessment', {
  description: 'What a citizen owes to one or more agencies.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `ASMT-<yyyy>-<mm>-<6 digits>`.', ...docname('assessment') }),
    citizen: t.exposeID('citizen', { description: 'The docname of the citizen who owes it.', ...docname('citizen') }),
    status: t.expose('status', { type: AssessmentStatusEnum, description: 'Where it stands.' }),
    currency: t.exposeString('currency', { description: 'The currency of all its amounts (ISO 4217).', ...currencyCode }),
    totalAmount: t.expose('totalAmount', { type: 'Decimal', description: 'The sum of its lines.' }),
    lineCount: t.exposeInt('lineCount', { description: 'How many lines it has.' }),
    lines: t.relation('lines', { description: 'Its lines, in order.', query: { orderBy: { idx: 'asc' } } }),
    intents: t.relation('intents', {
      description: 'The intents to pay it, oldest first. Scope `payments.initiate`.',
      ...needs('payments.initiate'),
      query: { orderBy: { createdAt: 'asc' } },
    }),
    shift: t.exposeID('shift', { nullable: true, description: 'The counter shift that it was taken in.', ...docname('shift') }),
    cancelReason: t.exposeString('cancelReason', { nullable: true, description: 'Why it was cancelled.' }),
    assessedAt: t.expose('assessedAt', { type: 'DateTime', nullable: true, description: 'When its amounts were frozen.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When it was paid.' }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true, description: 'When it was cancelled.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const LineInputType = builder.inputType('AssessmentLineInput', {
  description: 'A service to be assessed. Its price is the official fee, whatever a client sends.',
  fields: (t) => ({
    service: t.id({ required: true, description: "The service's docname.", ...docname('service') }),
    mda: t.id({ description: "The service's agency; may be left out.", ...agencyCode }),
    quantity: t.int({ defaultValue: 1, description: 'How many, 1 to 10,000.', ...between(1, MOST_OF_ONE) }),
  }),
});

builder.queryFields((t) => ({
  assessments: t.prismaField({
    type: ['Assessment'],
    description: "The caller's assessments, newest first. Scope `assessments.read`.",
    ...needs('assessments.read'),
    args: {
      citizen: t.arg.id({ description: 'Only those of this citizen.', ...docname('citizen') }),
      status: t.arg({ type: AssessmentStatusEnum, description: 'Only those that stand so.' }),
      shift: t.arg.id({ description: 'Only those of this counter shift.', ...docname('shift') }),
      fromDate: t.arg({ type: 'Date', description: 'Only those made on this UTC day or later.' }),
      toDate: t.arg({ type: 'Date', description: 'Only those made on this UTC day or earlier.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listAssessments(call, args, args),
  }),
  assessment: t.prismaField({
    type: 'Assessment',
    description: "One of the caller's assessments. Scope `assessments.read`. `not_found` where there is none.",
    ...needs('assessments.read'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('assessment') }) },
    resolve: (_query, _root, { name }, call) => getAssessment(call, name),
  }),
}));

builder.mutationFields((t) => ({
  createAssessment: t.prismaField({
    type: 'Assessment',
    description: 'Opens an assessment in Draft. Scope `assessments.write`. `validation_failed` for an unknown citizen or service.',
    ...needs('assessments.write'),
    args: {
      citizen: t.arg.id({ required: true, description: 'The docname of the citizen who owes it.', ...docname('citizen') }),
      lines: t.arg({
        type: [LineInputType],
        required: true,
        description: 'What is owed: 1 to 100 services in one currency.',
        ...shape({ minItems: 1, maxItems: MOST_LINES }),
      }),
      shift: t.arg.id({ description: 'An Open counter shift of the caller.', ...docname('shift') }),
    },
    resolve: (_query, _root, args, call) => createAssessment(call, args),
    answerAgain: getAssessment,
  }),
  assessAssessment: t.prismaField({
    type: 'Assessment',
    description:
      'Freezes the amounts of a Draft; an Assessed one stays as it is. Scope `assessments.write`.' + refusedFor('not_draft', 'service_not_offered'),
    ...needs('assessments.write'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('assessment') }) },
    resolve: (_query, _root, { name }, call) => assess(call, name),
    answerAgain: getAssessment,
  }),
}));
