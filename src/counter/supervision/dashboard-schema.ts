import { assessmentLoader } from '../../collection/assessments/find.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { agencyCode, currencyCode, docname } from '../../graphql/input/forms.ts';
import { shiftLoader } from '../shifts/find.ts';
import { ShiftType } from '../shifts/schema/shift-schema.ts';
import { staffLoader, staffSeenBy } from '../../identity/staff/find.ts';
import { STAFF_SEEN_BY, StaffType } from '../../identity/staff/schema.ts';
import { type Cancellation, listCancellationsOf } from './cancellations.ts';
import type { Dashboard, Taking } from './dashboard.ts';
import { agencyField } from '../../collection/catalogue/edges.ts';

const TakingType = builder.objectRef<Taking>('Taking').implement({
  description: 'Collections of one clerk at one agency today, in one currency.',
  fields: (t) => ({
    agencyId: t.exposeID('mda', {
      description: 'The code of the agency at whose counter the shift was.',
      ...agencyCode,
    }),
    agency: t.field(agencyField('The agency at whose counter the shift was.')),
    clerkId: t.exposeID('clerk', {
      description: "The clerk's e-mail address, or the integrator's code if a key opened the shift.",
    }),
    clerk: t.field({
      type: StaffType,
      nullable: true,
      description: `The clerk; null if a key opened the shift. ${STAFF_SEEN_BY}`,
      resolve: ({ clerk }, _args, call, info) => followIfAny(call, info, staffLoader, staffSeenBy(call, clerk)),
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    cash: t.expose('cash', { type: 'Decimal', description: 'Cash collected today, less what was reversed today.' }),
    nonCash: t.expose('nonCash', {
      type: 'Decimal',
      description: 'Amount collected today in other channels, less reversals of today.',
    }),
    collections: t.exposeInt('collections', {
      description: 'The number of collections, those reversed since among them.',
    }),
  }),
});

const CancellationType = builder.objectRef<Cancellation>('CounterCancellation').implement({
  description: 'The cancellation of an assessment that was made in a shift, as the supervisors of the shift see it.',
  fields: (t) => ({
    assessmentId: t.exposeID('name', {
      description: "The assessment's docname, `ASMT-<yyyy>-<mm>-<6 digits>`.",
      ...docname('assessment'),
    }),
    assessment: t.field({
      type: 'Assessment',
      nullable: true,
      description:
        "The assessment; null if it is not the caller's, as for keys that supervise other integrators. Scope `assessments.read`.",
      ...needs('assessments.read'),
      // Read for its ID alone too: it says whether the caller sees it.
      resolve: ({ name }, _args, call) => assessmentLoader.load(call, name),
    }),
    shiftId: t.exposeID('shift', {
      description: "The shift's docname, `SHIFT-<yyyy>-<mm>-<dd>-<3 digits>`.",
      ...docname('shift'),
    }),
    shift: t.field({
      type: ShiftType,
      description: 'The shift in which the assessment was made. Scope `assessments.read`.',
      ...needs('assessments.read'),
      resolve: ({ shift }, _args, call, info) => follow(call, info, shiftLoader, shift),
    }),
    agencyId: t.exposeID('mda', {
      description: 'The code of the agency at whose counter the shift was.',
      ...agencyCode,
    }),
    agency: t.field(agencyField('The agency at whose counter the shift was.')),
    clerkId: t.exposeID('clerk', {
      description: "The clerk's e-mail address, or the integrator's code if a key opened the shift.",
    }),
    clerk: t.field({
      type: StaffType,
      nullable: true,
      description: `The clerk; null if a key opened the shift. ${STAFF_SEEN_BY}`,
      resolve: ({ clerk }, _args, call, info) => followIfAny(call, info, staffLoader, staffSeenBy(call, clerk)),
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The total of the assessment, in `currency`.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Reason; null if nobody gave one.' }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', description: 'Time of the cancellation.' }),
  }),
});

export const DashboardType = builder.objectRef<Dashboard>('SupervisorDashboard').implement({
  description: "A supervisor's overview of the current UTC day.",
  fields: (t) => ({
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'The moment that the overview is of; its day is the UTC day of this moment.',
    }),
    openShifts: t.expose('openShifts', {
      type: [ShiftType],
      description: 'Open shifts, newest first, at most 200. `Agency.shifts` has them all.',
    }),
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

const CancellationConnection = defineConnection('CounterCancellation', CancellationType, 'cancellations');

builder.objectField(ShiftType, 'cancellations', (t) =>
  t.field({
    description: 'The assessments of this shift that were cancelled, newest first. Scope `assessments.read`.',
    ...needs('assessments.read'),
    ...connection(CancellationConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listCancellationsOf(call, name, args),
  }),
);
