import { builder, needs } from '../../../graphql/builder.ts';
import { ReasonCode } from '../../../graphql/error-codes.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { docnameArg } from '../../../graphql/input/forms.ts';
import { partsWithin } from '../../../platform/access/owned.ts';
import { AssessmentType } from '../../assessments/schema.ts';
import { agencyLoader } from '../../catalogue/find.ts';
import { AgencyType } from '../../catalogue/schema.ts';
import { type CancellationPreview, previewCancellation } from '../settlement/preview.ts';

const PreviewType = builder.objectRef<CancellationPreview>('AssessmentCancellation').implement({
  description: 'Effects of cancelling an assessment. The rail moves no money: who holds it gives it back.',
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
