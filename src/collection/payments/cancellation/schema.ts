import { builder, needs } from '../../../graphql/builder.ts';
import { ReasonCode } from '../../../graphql/error-codes.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { docnameArg, freeText } from '../../../graphql/input/forms.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { partsWithin } from '../../../platform/access/owned.ts';
import { pendingApprovalOf } from '../../approvals/find.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { ApprovalType } from '../../approvals/schema.ts';
import { AssessmentType } from '../../assessments/schema.ts';
import { agencyLoader } from '../../catalogue/find.ts';
import { AgencyType } from '../../catalogue/schema.ts';
import { cancelAssessment, readCancelled } from './cancel.ts';
import { type CancellationPreview, previewCancellation } from './preview.ts';
import { moneyApproval } from '../settlement/open-money/approval.ts';
import { replacementApproval } from './replacement-approval.ts';
import { reversalApproval } from './reversal-approval.ts';
import './replacement-schema.ts';

const PreviewType = builder.objectRef<CancellationPreview>('AssessmentCancellation').implement({
  description: 'Effects of cancelling an assessment. Refunds are opened of the payments that it reverses.',
  fields: (t) => ({
    assessmentId: t.id({
      description: 'The docname of the assessment.',
      resolve: ({ assessment }) => assessment.name,
    }),
    assessment: t.expose('assessment', {
      type: AssessmentType,
      description: 'The assessment, as it is.',
      ...needs('assessments.read', { alone: true }),
    }),
    refusal: t.string({
      nullable: true,
      description: 'Reason why it would be refused to the caller; null if it would not be.',
      resolve: ({ refusal }) => refusal && refusal.message,
    }),
    reason: t.field({
      type: ReasonCode,
      nullable: true,
      description: 'The reason of that refusal, for programs; null if it has none.',
      resolve: ({ refusal }) => refusal?.details[0]?.code ?? null,
    }),
    takesApproval: t.exposeBoolean('takesApproval', {
      description: 'True if it would wait for another, independent person to approve it.',
    }),
    payments: t.field({
      type: ['PaymentEvent'],
      description:
        'The payments that it would reverse, of the agencies that the caller may see. Scope `payments.read`.',
      ...needs('payments.read', { alone: true }),
      resolve: ({ payments }, _args, { viewer }) => partsWithin(viewer, payments),
    }),
    notified: t.field({
      type: [AgencyType],
      description:
        'The agencies that were notified of its payment, and would be notified of the reversal, of those that the caller may see.',
      resolve: ({ notified }, _args, call, info) =>
        Promise.all(notified.map((mda) => follow(call, info, agencyLoader, mda))),
    }),
  }),
});

builder.queryFields((t) => ({
  assessmentCancellation: t.field({
    type: PreviewType,
    description:
      'Says what `cancelAssessment` would do, and changes nothing. Scope `assessments.cancel`. `not_found` if the assessment does not exist.',
    ...needs('assessments.cancel'),
    args: { id: t.arg.id(docnameArg('assessment')) },
    resolve: (_root, { id }, call) => previewCancellation(call, id),
  }),
}));

builder.prismaObjectField('Assessment', 'pendingApproval', (t) =>
  t.field({
    type: ApprovalType,
    nullable: true,
    description:
      'The request to reverse it, to replace it, or to pay it with money that arrived, which waits for an independent person. Null if none waits, and for callers who may not see it.',
    resolve: ({ name, status }, _args, call) => {
      const kinds = status === 'Paid' ? reversalApproval : [moneyApproval, replacementApproval];
      return takesApproval(call) ? pendingApprovalOf(call, kinds, name) : null;
    },
  }),
);

builder.mutationFields((t) => ({
  cancelAssessment: t.field({
    type: 'Assessment',
    description:
      'Cancels an assessment. Clerks cancel those that are unpaid in an Open shift of their own. The payments of a Paid assessment are reversed, within 30 days. Those who confirmed its cash or whose shift it is in cannot, nor can people who are not independent of them. On a live rail it is asked for (`pendingApproval`): the assessment is answered as it is, Paid, until somebody independent of the caller approves (`grantApproval`). Scope `assessments.cancel`.' +
      listReasons(
        'already_cancelled',
        'reversal_too_late',
        'shift_closed',
        'shift_counted',
        'own_reversal',
        'not_in_own_shift',
        'paid_to_others',
        'not_independent',
        'approval_pending',
      ),
    ...needs('assessments.cancel', { people: 'two where it widens' }),
    args: {
      id: t.arg.id(docnameArg('assessment')),
      reason: t.arg.string({ description: 'The reason, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, { id, reason }, call) => cancelAssessment(call, { name: id, reason }),
    answerAgain: readCancelled,
  }),
}));
