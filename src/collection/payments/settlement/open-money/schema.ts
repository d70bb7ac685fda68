import { builder, needs } from '../../../../graphql/builder.ts';
import { REASON, docname, docnameArg, freeText } from '../../../../graphql/input/forms.ts';
import { shape } from '../../../../graphql/input/shapes.ts';
import { listReasons } from '../../../../kernel/reasons.ts';
import { LONGEST_REASON } from '../../../../kernel/text/free-text.ts';
import { pendingApprovalOf } from '../../../approvals/find.ts';
import { ApprovalType } from '../../../approvals/schema.ts';
import { AssessmentType } from '../../../assessments/schema.ts';
import { getAssessment } from '../../../assessments/find.ts';
import { getMoney } from '../../../money/find.ts';
import { MoneyType } from '../../../money/schema.ts';
import { findSuggestions } from '../../../money/suggest.ts';
import { MOST_PARTS } from './allocation.ts';
import { moneyApproval } from './approval.ts';
import { allocateMoney, closeMoney, subjectOfAnswer } from './settle-money.ts';

const WAITS = 'On a live rail it waits until an independent finance officer, supervisor or admin approves it.';

builder.prismaObjectFields('MoneyReceived', (t) => ({
  suggestions: t.field({
    type: [AssessmentType],
    description:
      'Unpaid assessments that it may have been for, at most 20. Their payment reference has a digit wrong or two swapped, or they are of the same payer and amount. Scope `assessments.read`.',
    ...needs('assessments.read', { alone: true }),
    resolve: (money, _args, call) => findSuggestions(call, money),
  }),
  pendingApproval: t.field({
    type: ApprovalType,
    nullable: true,
    description: 'The request to close it that waits; null if none, or if the caller may not see it.',
    ...needs('approvals.read', { alone: true }),
    resolve: ({ name }, _args, call) => pendingApprovalOf(call, moneyApproval, name),
  }),
}));

const ClosingEnum = builder.enumType('MoneyClosing', {
  description: 'The way in which money that paid nothing is closed.',
  values: {
    transferred: { description: 'Its provider transferred it elsewhere.' },
    written_off: { description: 'It is kept, and nobody claims it; at most `WRITE_OFF_LIMIT` of each arrival.' },
  } as const,
});

const PartInput = builder.inputType('MoneyPartInput', {
  description: 'A part of money that pays an assessment, or all of it.',
  fields: (t) => ({
    money: t.id({ required: true, description: 'The docname of the money.', ...docname('money') }),
    amount: t.field({ type: 'Decimal', required: true, description: 'More than 0, and at most what is open.' }),
  }),
});

builder.mutationFields((t) => ({
  allocateMoney: t.field({
    type: 'Assessment',
    description:
      `Pays an Assessed assessment with money that arrived and paid nothing. The parts are of one channel, in its currency, and add up to its total. It makes a payment intent, which is confirmed at once. ${WAITS} Until then, the assessment is answered as it is, with \`pendingApproval\`. For admins, system managers and finance officers.` +
      listReasons('money_closed', 'money_not_exact', 'assessment_not_payable', 'paid_to_others', 'approval_pending'),
    ...needs('money.write', { people: 'two', missing: true }),
    args: {
      assessment: t.arg.id(docnameArg('assessment')),
      parts: t.arg({
        type: [PartInput],
        required: true,
        description: `The money, at most ${MOST_PARTS} parts.`,
        ...shape({ minItems: 1, maxItems: MOST_PARTS }),
      }),
      reason: t.arg.string({ description: 'The reason, for the one who approves it.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => allocateMoney(call, args),
    answerAgain: async (call, subject) => getAssessment(call, await subjectOfAnswer(call, subject)),
  }),
  closeMoney: t.field({
    type: MoneyType,
    description:
      `Closes money that arrived and paid nothing, or a part of it, without a payment. ${WAITS} For admins, system managers and finance officers.` +
      listReasons('money_closed', 'money_not_exact', 'approval_pending'),
    ...needs('money.write', { people: 'two' }),
    args: {
      id: t.arg.id(docnameArg('money')),
      as: t.arg({ type: ClosingEnum, required: true, description: 'The way in which it is closed.' }),
      amount: t.arg({ type: 'Decimal', required: true, description: 'More than 0, and at most what is open.' }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, { id, ...closing }, call) => closeMoney(call, { ...closing, name: id }),
    answerAgain: async (call, subject) => getMoney(call, await subjectOfAnswer(call, subject)),
  }),
}));
