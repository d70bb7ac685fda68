import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, currencyCode, docname, freeText, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { cancelShift } from './cancel.ts';
import { type Cancellation, type Dashboard, type Taking, supervisorDashboard } from './dashboard.ts';
import { decideVariance } from './decide.ts';
import { listReviews, reviewShift } from '../shifts/find.ts';
import { type VarianceDecision, varianceLifecycle } from '../shifts/lifecycle.ts';
import { ShiftType, VarianceStatusEnum } from '../shifts/schema.ts';
import { LONGEST_ADDRESS } from '../../kernel/text.ts';
import { refusedFor } from '../../kernel/reasons.ts';

const TakingType = builder.objectRef<Taking>('Taking').implement({
  description: 'What one clerk collected at one agency today, in one currency.',
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency of the shift.', ...agencyCode }),
    clerk: t.exposeString('clerk', { description: 'The clerk.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    cash: t.expose('cash', { type: 'Decimal', description: 'In cash, less what was reversed.' }),
    nonCash: t.expose('nonCash', { type: 'Decimal', description: 'In other ways, less what was reversed.' }),
    collections: t.exposeInt('collections', { description: 'How many collections.' }),
  }),
});

const CancellationType = builder.objectRef<Cancellation>('CounterCancellation').implement({
  description: 'An assessment of a shift that was cancelled today.',
  fields: (t) => ({
    assessment: t.exposeID('assessment', { description: 'Its docname.', ...docname('assessment') }),
    shift: t.exposeID('shift', { description: 'The shift.', ...docname('shift') }),
    mda: t.exposeID('mda', { description: 'The agency of the shift.', ...agencyCode }),
    clerk: t.exposeString('clerk', { description: 'The clerk of the shift.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'What it was about.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was cancelled.' }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', description: 'When.' }),
  }),
});

const DashboardType = builder.objectRef<Dashboard>('SupervisorDashboard').implement({
  description: 'What a supervisor looks at; today is the UTC day.',
  fields: (t) => ({
    asOf: t.expose('asOf', { type: 'DateTime', description: 'The moment that it shows.' }),
    openShifts: t.expose('openShifts', { type: [ShiftType], description: 'Shifts that are Open, newest first, at most 200.' }),
    pendingVariances: t.expose('pendingVariances', {
      type: [ShiftType],
      description: 'Closed shifts whose variance waits, newest first, at most 200.',
    }),
    takings: t.expose('takings', { type: [TakingType], description: "Today's collections by agency, clerk and currency." }),
    cancellations: t.expose('cancellations', { type: [CancellationType], description: "Today's cancellations, newest first, at most 200." }),
  }),
});

builder.queryFields((t) => ({
  shiftReviews: t.field({
    type: [ShiftType],
    description: 'Closed shifts with a variance, newest first. For supervisors and admins; by key, those of the agencies that it `supervises`.',
    ...needs('reviews'),
    args: {
      varianceStatus: t.arg({ type: VarianceStatusEnum, description: 'Only those of which this was decided.' }),
      mda: t.arg.id({ description: 'Only those of this agency.', ...agencyCode }),
      clerk: t.arg.string({ description: 'Only those of this clerk.', ...freeText(LONGEST_ADDRESS) }),
      fromDate: t.arg({ type: 'DateTime', description: 'Only those opened at this moment or later; a bare day, `YYYY-MM-DD`, is its beginning.' }),
      toDate: t.arg({ type: 'DateTime', description: 'Only those opened at this moment or earlier; a bare day, `YYYY-MM-DD`, is included whole.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listReviews(call, args, args),
  }),
  shiftReview: t.field({
    type: ShiftType,
    description: 'Any shift. For supervisors and admins; by key, one of an agency that it `supervises`.',
    ...needs('reviews'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('shift') }) },
    resolve: (_root, { name }, call) => reviewShift(call, name),
  }),
  supervisorDashboard: t.field({
    type: DashboardType,
    description:
      'Open shifts, variances that wait, and what was collected and cancelled today. For supervisors and admins, and, of the agencies that it `supervises`, for a key with `assessments.read`.',
    ...needs('supervision.read'),
    complexity: 500,
    resolve: (_root, _args, call) => supervisorDashboard(call),
  }),
}));

builder.mutationFields((t) => ({
  cancelShift: t.field({
    type: ShiftType,
    description:
      'Cancels an Open shift in which nothing was collected. For supervisors and admins, and, at the agencies that it `supervises`, for a key with `assessments.write`.' +
      refusedFor('shift_not_open', 'shift_has_collections'),
    ...needs('supervision.write'),
    args: {
      name: t.arg.id({ required: true, description: 'Its docname.', ...docname('shift') }),
      reason: t.arg.string({ required: true, description: 'Why, at most 1,000 characters.', ...someText() }),
    },
    resolve: (_root, args, call) => cancelShift(call, args),
    answerAgain: reviewShift,
  }),
}));

const deciding: Readonly<Record<VarianceDecision, string>> = {
  approve: 'Accepts the variance of a closed shift',
  reject: 'Turns the variance of a closed shift down',
  escalate: 'Leaves the variance of a closed shift to somebody else',
};

for (const decision of Object.keys(varianceLifecycle) as VarianceDecision[]) {
  builder.mutationField(`${decision}Variance`, (t) =>
    t.field({
      type: ShiftType,
      description: `${deciding[decision]}. For supervisors and admins, and, at the agencies that it \`supervises\`, for a key with \`assessments.write\`; nobody on a shift of their own, nor on one of a key that they issued.${refusedFor('no_variance', 'variance_decided')}`,
      ...needs('supervision.write'),
      args: {
        name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }),
        note: t.arg.string({ description: `Why, at most 1,000 characters.${decision === 'approve' ? '' : ' Required.'}`, ...freeText() }),
      },
      resolve: (_root, args, call) => decideVariance(call, decision, args),
      answerAgain: reviewShift,
    }),
  );
}
