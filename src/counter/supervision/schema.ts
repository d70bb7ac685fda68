import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, currencyCode, docname, freeText, requiredText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { cancelShift } from './cancel.ts';
import { type Cancellation, type Dashboard, type Taking, readSupervisorDashboard } from './dashboard.ts';
import { decideVariance } from './decide.ts';
import { listReviews, reviewShift } from '../shifts/find.ts';
import { type VarianceDecision, varianceLifecycle } from '../shifts/lifecycle.ts';
import { ShiftType, VarianceStatusEnum } from '../shifts/schema.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/contact.ts';
import { listReasons } from '../../kernel/reasons.ts';

const TakingType = builder.objectRef<Taking>('Taking').implement({
  description: 'Collections of one clerk at one agency today, in one currency.',
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency of the shift.', ...agencyCode }),
    clerk: t.exposeString('clerk', { description: 'The clerk.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    cash: t.expose('cash', { type: 'Decimal', description: 'Cash collected, less reversals.' }),
    nonCash: t.expose('nonCash', { type: 'Decimal', description: 'Collections in other channels, less reversals.' }),
    collections: t.exposeInt('collections', { description: 'The number of collections.' }),
  }),
});

const CancellationType = builder.objectRef<Cancellation>('CounterCancellation').implement({
  description: 'An assessment of a shift that was cancelled today.',
  fields: (t) => ({
    assessment: t.exposeID('assessment', { description: "The assessment's docname.", ...docname('assessment') }),
    shift: t.exposeID('shift', { description: 'The shift.', ...docname('shift') }),
    mda: t.exposeID('mda', { description: 'The agency of the shift.', ...agencyCode }),
    clerk: t.exposeString('clerk', { description: 'The clerk of the shift.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount cancelled.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason for the cancellation.' }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', description: 'When the assessment was cancelled.' }),
  }),
});

const DashboardType = builder.objectRef<Dashboard>('SupervisorDashboard').implement({
  description: "A supervisor's overview of the current UTC day.",
  fields: (t) => ({
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When the overview was made.' }),
    openShifts: t.expose('openShifts', { type: [ShiftType], description: 'Open shifts, newest first, at most 200.' }),
    pendingVariances: t.expose('pendingVariances', {
      type: [ShiftType],
      description: 'Closed shifts whose variance awaits a decision, newest first, at most 200.',
    }),
    takings: t.expose('takings', {
      type: [TakingType],
      description: "Today's collections by agency, clerk and currency.",
    }),
    cancellations: t.expose('cancellations', {
      type: [CancellationType],
      description: "Today's cancellations, newest first, at most 200.",
    }),
  }),
});

builder.queryFields((t) => ({
  shiftReviews: t.field({
    type: [ShiftType],
    description:
      'Closed shifts with a variance, newest first. For supervisors and admins, and for keys at the agencies they supervise.',
    ...needs('reviews'),
    args: {
      varianceStatus: t.arg({ type: VarianceStatusEnum, description: 'Filter by decision on the variance.' }),
      mda: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
      clerk: t.arg.string({ description: 'Filter by clerk.', ...freeText(LONGEST_ADDRESS) }),
      from: t.arg({
        type: 'DateTime',
        description:
          'Only shifts opened at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Only shifts opened at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
      }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listReviews(call, args, args),
  }),
  shiftReview: t.field({
    type: ShiftType,
    description: 'Returns any shift. For supervisors and admins, and for keys at the agencies they supervise.',
    ...needs('reviews'),
    args: { name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }) },
    resolve: (_root, { name }, call) => reviewShift(call, name),
  }),
  supervisorDashboard: t.field({
    type: DashboardType,
    description:
      "Open shifts, pending variances, and today's collections and cancellations. For supervisors and admins, and for keys with `assessments.read` at the agencies they supervise.",
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
    ...needs('supervision.write'),
    args: {
      name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }),
      reason: t.arg.string({ required: true, description: 'The reason, at most 1,000 characters.', ...requiredText() }),
    },
    resolve: (_root, args, call) => cancelShift(call, args),
    answerAgain: reviewShift,
  }),
}));

const deciding: Readonly<Record<VarianceDecision, string>> = {
  approve: 'Approves the variance of a closed shift',
  reject: 'Rejects the variance of a closed shift',
  escalate: 'Escalates the variance of a closed shift',
};

for (const decision of Object.keys(varianceLifecycle) as VarianceDecision[]) {
  builder.mutationField(`${decision}Variance`, (t) =>
    t.field({
      type: ShiftType,
      description: `${deciding[decision]}. For supervisors and admins, and for keys with \`assessments.write\` at the agencies they supervise. Nobody may decide on their own shift, or on a shift of a key that they issued.${listReasons('no_variance', 'variance_decided')}`,
      ...needs('supervision.write'),
      args: {
        name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }),
        note: t.arg.string({
          description: `The reason, at most 1,000 characters.${decision === 'approve' ? '' : ' Required.'}`,
          ...freeText(),
        }),
      },
      resolve: (_root, args, call) => decideVariance(call, decision, args),
      answerAgain: reviewShift,
    }),
  );
}
