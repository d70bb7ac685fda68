import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { docnameArg, freeText, requiredText } from '../../graphql/input/forms.ts';
import { getAnomaly } from '../../collection/anomalies/find.ts';
import { cancelShift } from './cancel.ts';
import { readSupervisorDashboard } from './dashboard.ts';
import { DashboardType } from './dashboard-schema.ts';
import { decideVariance, resolveWithVariance } from './decide.ts';
import { listReviews, reviewShift } from '../shifts/find.ts';
import { type VarianceDecision, type VarianceVerdict, varianceLifecycle } from '../shifts/lifecycle.ts';
import { ShiftConnection, ShiftType, placeFilters, reviewFilters } from '../shifts/schema/shift-schema.ts';
import { listReasons } from '../../kernel/reasons.ts';

builder.queryFields((t) => ({
  shiftReviews: t.field({
    description: 'Closed shifts with a variance, newest first. For supervisors and admins.',
    ...needs('reviews'),
    ...connection(ShiftConnection, { most: 200, args: { ...placeFilters, ...reviewFilters } }),
    resolve: (_root, args, call) => listReviews(call, args, args),
  }),
  shiftReview: t.field({
    type: ShiftType,
    description: 'Returns any shift. For supervisors and admins; keys that supervise find it by `node`.',
    ...needs('reviews'),
    args: { id: t.arg.id(docnameArg('shift')) },
    resolve: (_root, { id }, call) => reviewShift(call, id),
  }),
  supervisorDashboard: t.field({
    type: DashboardType,
    description:
      "Open shifts, pending variances, and today's collections and cancellations. For supervisors, finance officers and admins, and for keys with `assessments.read` at the agencies they supervise.",
    ...needs('supervision.read'),
    complexity: 500,
    resolve: (_root, _args, call) => readSupervisorDashboard(call),
  }),
}));

builder.mutationFields((t) => ({
  cancelShift: t.field({
    type: ShiftType,
    description:
      'Cancels an Open shift that has no collections. For supervisors and admins, and for keys with `assessments.write` at the agencies they supervise.' +
      listReasons('shift_not_open', 'shift_has_collections'),
    ...needs('supervision.write', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('shift')),
      reason: t.arg.string({ required: true, description: 'The reason, at most 1,000 characters.', ...requiredText() }),
    },
    resolve: (_root, { id, reason }, call) => cancelShift(call, { name: id, reason }),
    answerAgain: reviewShift,
  }),
}));

const VerdictEnum = defineEnum<VarianceVerdict>('VarianceVerdict', 'A decision that ends the review of a variance.', {
  approve: 'The variance is approved, as by `approveVariance`.',
  reject: 'The variance is rejected, as by `rejectVariance`.',
});

builder.mutationFields((t) => ({
  resolveAnomaly: t.field({
    type: 'Anomaly',
    description: `Resolves an anomaly with a note on the outcome. For admins and system managers.${listReasons('no_variance', 'variance_decided', 'not_independent')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('anomaly')),
      note: t.arg.string({ required: true, description: 'The outcome, at most 1,000 characters.', ...requiredText() }),
      variance: t.arg({
        type: VerdictEnum,
        description:
          'The decision on the variance that raised the anomaly, of the kind `cash_variance`: both change, or neither. The note is the reason. For those who may decide on the shift: admins, on shifts other than their own.',
      }),
    },
    resolve: (_root, args, call) => resolveWithVariance(call, args),
    answerAgain: getAnomaly,
  }),
}));

const RESOLVING = {
  description:
    'If true, the anomaly that the variance raised is resolved too, if it is open, with the note, which is then required. For supervisors and admins.',
} as const;

const deciding: Readonly<Record<VarianceDecision, string>> = {
  approve: 'Approves the variance of a closed shift',
  reject: 'Rejects the variance of a closed shift',
  escalate: 'Escalates the variance of a closed shift',
};

for (const decision of Object.keys(varianceLifecycle) as VarianceDecision[]) {
  builder.mutationField(`${decision}Variance`, (t) =>
    t.field({
      type: ShiftType,
      description: `${deciding[decision]}. For supervisors and admins, and for keys with \`assessments.write\` at the agencies they supervise. Nobody may decide on their own shift, or on a shift of somebody they are not independent of.${listReasons('no_variance', 'variance_decided', 'not_independent')}`,
      ...needs('supervision.write', { people: 'alone' }),
      args: {
        id: t.arg.id(docnameArg('shift')),
        note: t.arg.string({
          description: `The reason, at most 1,000 characters.${decision === 'approve' ? '' : ' Required.'}`,
          ...freeText(),
        }),
        ...(decision !== 'escalate' && { resolveAnomaly: t.arg.boolean(RESOLVING) }),
      },
      resolve: (_root, { id, ...input }, call) => decideVariance(call, decision, { name: id, ...input }),
      answerAgain: reviewShift,
    }),
  );
}
