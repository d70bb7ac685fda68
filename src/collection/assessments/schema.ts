import { AssessmentStatus } from '../../generated/prisma/enums.ts';
import { partsWithin } from '../../platform/access/owned.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { languageArg } from '../../graphql/input/languages.ts';
import {
  agencyCode,
  between,
  currencyCode,
  docname,
  docnameArg,
  freeText,
  ownDocname,
} from '../../graphql/input/forms.ts';
import { currencyArgs } from '../../graphql/input/currency.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { type Reason, listReasons } from '../../kernel/reasons.ts';
import { assess } from './assess.ts';
import { replaceMetadata } from './amend.ts';
import { metadataFor } from './labels.ts';
import { MOST_LINES, MOST_OF_ONE, createAssessment } from './create.ts';
import { LONGEST_PERIOD } from './lines/offers.ts';
import { serviceLoader } from '../catalogue/find.ts';
import { nameIn } from '../catalogue/names.ts';
import { assessedLoader } from '../citizens/find.ts';
import { listMessagesOf } from '../citizens/messages/find.ts';
import { MessageConnection, MessageType } from '../citizens/messages/schema.ts';
import {
  type Assessment,
  type AssessmentOrder,
  assessmentLoader,
  getAssessment,
  listAssessments,
  listAssessmentsOf,
  readLinesOf,
  readReplacing,
} from './find.ts';
import { agencyField } from '../catalogue/edges.ts';

const AssessmentStatusEnum = builder.enumType(AssessmentStatus, {
  name: 'AssessmentStatus',
  description: 'The status of an assessment.',
  values: {
    Draft: { description: 'Not final: amounts follow the current fees and may still change.' },
    Assessed: { description: 'The amounts are fixed; the assessment can be paid.' },
    Paid: { description: 'The assessment was paid in full.' },
    Cancelled: { description: 'Cancelled. If it was paid, its payments were reversed.' },
  },
});

export const LineType = builder.prismaObject('AssessmentLine', {
  description: 'A line of an assessment: one service at its official fee.',
  fields: (t) => ({
    idx: t.exposeInt('idx', { description: 'The line number, starting at 1.' }),
    serviceId: t.exposeID('service', {
      description: "The service's docname, `SVC-<yyyy>-<6 digits>`.",
      ...docname('service'),
    }),
    service: t.field({
      type: 'Service',
      description: 'The service, as the catalogue has it now.',
      resolve: ({ service }, _args, call, info) => follow(call, info, serviceLoader, service),
    }),
    serviceName: t.string({
      description:
        'The name of the service at the time of assessment. In another language it is what the service is called now, unless it was renamed since.',
      args: languageArg,
      resolve: async ({ service, serviceName }, { language }, call) => {
        if (language == null || language === 'en') return serviceName;
        const now = await serviceLoader.load(call, service);
        return now?.serviceName === serviceName ? nameIn(language, serviceName, now) : serviceName;
      },
    }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency to which the amount is owed.', ...agencyCode }),
    agency: t.field(agencyField('The agency to which the amount is owed.')),
    quantity: t.exposeInt('quantity', { description: 'The quantity, 1 to 10,000.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'The fee per unit.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'The amount: rate multiplied by quantity, less what is waived.',
    }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'The category of the tariff that priced the line; null where a fee for each piece did.',
    }),
    baseAmount: t.expose('baseAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The value that the tariff computed the amount from; null where nothing was computed.',
    }),
    statedAmount: t.expose('statedAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount as it was stated; null where the tariff has it fixed or computed.',
    }),
    period: t.exposeString('period', {
      nullable: true,
      description: 'The time that is charged for, as its maker wrote it; null if they did not.',
    }),
    waived: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The amount that an exemption took off; null where none did.',
      resolve: ({ waived }) => (waived.isZero() ? null : waived),
    }),
    exemptionId: t.exposeID('exemption', {
      nullable: true,
      description: 'The docname of the exemption that took it off; null if none did.',
      ...docname('exemption'),
    }),
  }),
});

/** An assessment that was read with its lines, or without. */
type WithLines = Pick<Assessment, 'name'> & Partial<Pick<Assessment, 'lines'>>;

export const AssessmentType = builder.prismaObject('Assessment', {
  description: 'A bill for services of one or more agencies, owed by a citizen.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('assessment')),
    citizenId: t.exposeID('citizen', {
      description: 'The docname of the citizen who owes the amount.',
      ...docname('citizen'),
    }),
    citizen: t.field({
      type: 'Citizen',
      description: 'The citizen who owes the amount. Scope `citizens.read`.',
      ...needs('citizens.read', { alone: true }),
      resolve: ({ citizen }, _args, call, info) => follow(call, info, assessedLoader, citizen),
    }),
    status: t.expose('status', {
      type: AssessmentStatusEnum,
      description: 'The current status; once it is Paid, only a cancellation changes it.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    totalAmount: t.expose('totalAmount', { type: 'Decimal', description: 'The sum of all lines.' }),
    lineCount: t.exposeInt('lineCount', { description: 'The number of lines.' }),
    lines: t.field({
      type: [LineType],
      description: 'The lines, in order. Who is bound to agencies sees the lines of these alone, and the total of all.',
      resolve: async (assessment: WithLines, _args, call) =>
        partsWithin(call.viewer, assessment.lines ?? (await readLinesOf(call, assessment.name))),
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The reference that its creator gave; null if there is none.',
    }),
    metadata: t.field({
      type: 'Metadata',
      nullable: true,
      description: 'Texts that the account that made it attached to it; null for everybody else, and without any.',
      resolve: (assessment, _args, { viewer }) => metadataFor(viewer, assessment),
    }),
    dueOn: t.expose('dueOn', {
      type: 'Date',
      nullable: true,
      description: "The day by which it is to be paid, in the agency's country; null if none is set.",
    }),
    replacesId: t.exposeID('replaces', {
      nullable: true,
      description: 'The docname of the Cancelled assessment that it replaces, alone or with others; null if it is new.',
      ...docname('assessment'),
    }),
    replaces: t.field({
      type: 'Assessment',
      nullable: true,
      description: 'The Cancelled assessment that it replaces; null if it is new.',
      resolve: ({ replaces }, _args, call, info) => followIfAny(call, info, assessmentLoader, replaces),
    }),
    replacedBy: t.field({
      type: ['Assessment'],
      description: 'The assessments that replace it, in the order in which they are due; none if it was not replaced.',
      resolve: async ({ name, status }, _args, call) =>
        status === 'Cancelled' ? [...(await readReplacing(call, name))] : [],
    }),
    shiftId: t.exposeID('shift', {
      nullable: true,
      description: 'The docname of the counter shift in which the assessment was made; null outside counters.',
      ...docname('shift'),
    }),
    cancelReason: t.exposeString('cancelReason', { nullable: true, description: 'The reason for the cancellation.' }),
    assessedAt: t.expose('assessedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the amounts were fixed.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the assessment was paid; null if it is not paid.',
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was cancelled; null if it was not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'Assessment',
  needs: ['assessments.read'],
  matches: (id) => isDocname('assessment', id),
  loader: assessmentLoader,
});

export const AssessmentConnection = defineConnection('Assessment', AssessmentType, 'assessments', {
  sums: 'the totals',
});

const AssessmentOrderEnum = defineEnum<AssessmentOrder>('AssessmentOrder', 'The order of a list of assessments.', {
  created_desc: 'By time of creation, the newest first.',
  created_asc: 'By time of creation, the oldest first.',
  amount_desc: 'The largest total first.',
  amount_asc: 'The smallest total first.',
});

/** Filters that every list of assessments has. */
export const assessmentFilters = builder.args((t) => ({
  status: t.field({ type: AssessmentStatusEnum, description: 'Only assessments in this status. Default: in any.' }),
  fromDate: t.field({ type: 'Date', description: 'Only assessments created on or after this UTC day.' }),
  toDate: t.field({ type: 'Date', description: 'Only assessments created on or before this UTC day.' }),
  dueFromDate: t.field({ type: 'Date', description: 'Only assessments to be paid by this day or a later one.' }),
  dueToDate: t.field({ type: 'Date', description: 'Only assessments to be paid by this day or an earlier one.' }),
  overdue: t.boolean({
    description:
      "If true, only Assessed assessments whose due day is over, by the clock of the first line's agency. If false, only all others.",
  }),
  orderBy: t.field({ type: AssessmentOrderEnum, description: 'The order of the list. Default: the newest first.' }),
}));

builder.prismaObjectField('Citizen', 'assessments', (t) =>
  t.field({
    description: "The caller's assessments of this citizen, newest first. Scope `assessments.read`.",
    ...needs('assessments.read', { alone: true }),
    ...connection(AssessmentConnection, { most: 200, args: assessmentFilters }),
    resolve: ({ name }, args, call) => listAssessmentsOf(call, 'citizen', name, args, args),
  }),
);

builder.prismaObjectFields(MessageType, (t) => ({
  assessmentId: t.exposeID('assessment', { description: 'The docname of the assessment.', ...docname('assessment') }),
  assessment: t.field({
    type: 'Assessment',
    nullable: true,
    description: 'The assessment. Scope `assessments.read`.',
    ...needs('assessments.read', { alone: true }),
    resolve: ({ assessment }, _args, call, info) => follow(call, info, assessmentLoader, assessment),
  }),
}));

builder.prismaObjectField('Assessment', 'messages', (t) =>
  t.field({
    description: 'Messages to the payer about it, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read', { alone: true }),
    ...connection(MessageConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listMessagesOf(call, 'assessment', name, args),
  }),
);

/** Labels that an account can give a new assessment or intent. */
export const labelArgs = builder.args((t) => ({
  reference: t.string({
    description:
      'Your own name for it: 1 to 64 visible characters. It need not be unique; lists and the search of staff find it.',
    ...shape({ pattern: '^.{0,64}$', examples: ['INV-2026-0042'] }),
  }),
  metadata: t.field({
    type: 'Metadata',
    description: 'Texts that you attach to it. You alone can read them. Do not put personal data in them.',
  }),
}));

/** The filter of lists by what accounts attach to their records. */
export const metadataFilter = builder.args((t) => ({
  metadata: t.field({
    type: 'Metadata',
    description: 'Only records of yours that have all of these keys with exactly these values.',
  }),
}));

export const LineInputType = builder.inputType('AssessmentLineInput', {
  description:
    'A service to assess. The price always is the official fee; or what its tariff makes of the category, and of what that asks for.',
  fields: (t) => ({
    service: t.id(docnameArg('service')),
    mda: t.id({ description: 'The code of the agency that offers the service. Optional.', ...agencyCode }),
    quantity: t.int({ defaultValue: 1, description: 'The quantity, 1 to 10,000.', ...between(1, MOST_OF_ONE) }),
    category: t.string({
      description: 'The category of its tariff. Default: `standard`.',
      ...shape({ maxLength: 40, examples: ['foreigner'] }),
    }),
    baseAmount: t.field({
      type: 'Decimal',
      description: 'The value that the tariff computes the amount from, at most 4 decimals; given if it does.',
    }),
    statedAmount: t.field({
      type: 'Decimal',
      description: "The amount, where the tariff has it stated; exact to the currency's minor unit.",
    }),
    period: t.string({
      description: 'The time that is charged for, in words of your own.',
      ...freeText(LONGEST_PERIOD, { examples: ['2026-10'] }),
    }),
  }),
});

/** The lines of an assessment that is made. */
export const lineArgs = builder.args((t) => ({
  lines: t.field({
    type: [LineInputType],
    required: true,
    description: 'The services to assess: 1 to 100, all in one currency.',
    ...shape({ minItems: 1, maxItems: MOST_LINES }),
  }),
}));

/** Reasons for which lines are refused, in the order in which they are looked for. */
export const LINE_REASONS = [
  'not_found',
  'service_not_offered',
  'fee_not_approved',
  'category_unknown',
  'base_required',
  'base_not_expected',
  'amount_required',
  'amount_not_expected',
  'amount_not_yours',
] as const satisfies readonly Reason[];

builder.queryFields((t) => ({
  assessments: t.field({
    description: "The caller's assessments, newest first. Scope `assessments.read`.",
    ...needs('assessments.read'),
    ...connection(AssessmentConnection, {
      most: 200,
      searched: ['status', 'minAmount', 'maxAmount'],
      args: {
        reference: t.arg.id({
          description:
            'Filter by any reference: your own, the docname, the reference of the aggregator, or its transaction ID. Those of payment intents for the assessment count too.',
          ...shape({ maxLength: LONGEST_LABEL }),
        }),
        from: t.arg({
          type: 'DateTime',
          description:
            'Only assessments created at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that UTC day.',
        }),
        to: t.arg({
          type: 'DateTime',
          description:
            'Only assessments created at or before this time. A date without a time, `YYYY-MM-DD`, includes that UTC day.',
        }),
        minAmount: t.arg({ type: 'Decimal', description: 'Only assessments with a total of at least this amount.' }),
        maxAmount: t.arg({ type: 'Decimal', description: 'Only assessments with a total of at most this amount.' }),
        citizen: t.arg.id({ description: 'Filter by citizen (docname).', ...docname('citizen') }),
        shift: t.arg.id({ description: 'Filter by counter shift (docname).', ...docname('shift') }),
        ...metadataFilter,
        ...assessmentFilters,
      },
    }),
    resolve: (_root, args, call) => listAssessments(call, args, args),
  }),
  assessment: t.field({
    type: 'Assessment',
    description: "Returns one of the caller's assessments. Scope `assessments.read`. `not_found` if it does not exist.",
    ...needs('assessments.read'),
    args: { id: t.arg.id(docnameArg('assessment')) },
    resolve: (_root, { id }, call) => getAssessment(call, id),
  }),
}));

/** Whether the payer gets a text of what is assessed. */
const notifyArg = builder.args((t) => ({
  notify: t.boolean({
    defaultValue: false,
    description:
      'If true, a payer with a phone gets a text that says what is owed, and by when; its agencies alone ask.',
  }),
}));

builder.mutationFields((t) => ({
  createAssessment: t.field({
    type: 'Assessment',
    description:
      'Creates a Draft assessment, or an Assessed one with `assess`. Scope `assessments.write`. `validation_failed` if the citizen or a service does not exist.' +
      listReasons(...LINE_REASONS, 'agency_not_allowed', 'reference_too_long', 'metadata_invalid'),
    ...needs('assessments.write', { people: 'alone' }),
    args: {
      citizen: t.arg.id({
        required: true,
        description: 'The docname of the citizen who owes the amount.',
        ...docname('citizen'),
      }),
      ...lineArgs,
      dueOn: t.arg({
        type: 'Date',
        description: 'The day by which it is to be paid; its agencies alone state it. Default: as its tariffs say.',
      }),
      shift: t.arg.id({ description: 'The docname of an Open shift of the caller.', ...docname('shift') }),
      assess: t.arg.boolean({
        defaultValue: false,
        description: 'If true, the amounts are fixed at once, as `assessAssessment` does, so that it can be paid.',
      }),
      ...notifyArg,
      ...currencyArgs,
      ...labelArgs,
    },
    resolve: (_root, args, call) => createAssessment(call, args),
    answerAgain: getAssessment,
  }),
  replaceMetadata: t.field({
    type: 'Assessment',
    description:
      'Replaces the metadata of an assessment of yours, in any status. Scope `assessments.write`. `forbidden` if another account made it.' +
      listReasons('metadata_invalid'),
    ...needs('assessments.write', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('assessment')),
      metadata: t.arg({
        type: 'Metadata',
        required: true,
        description: 'All of its metadata from now on; an empty object removes it.',
      }),
    },
    resolve: (_root, { id, metadata }, call) => replaceMetadata(call, id, metadata),
    answerAgain: getAssessment,
  }),
  assessAssessment: t.field({
    type: 'Assessment',
    description:
      'Fixes the amounts of a Draft, so that it can be paid. An Assessed assessment is returned unchanged. Scope `assessments.write`.' +
      listReasons('not_draft', 'agency_not_allowed', ...LINE_REASONS.filter((reason) => reason !== 'fee_not_approved')),
    ...needs('assessments.write', { people: 'alone' }),
    args: { id: t.arg.id(docnameArg('assessment')), ...notifyArg },
    resolve: (_root, { id, notify }, call) => assess(call, id, notify ?? false),
    answerAgain: getAssessment,
  }),
}));
