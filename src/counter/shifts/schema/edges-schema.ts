import { AssessmentConnection, assessmentFilters } from '../../../collection/assessments/schema.ts';
import { listAssessmentsOf } from '../../../collection/assessments/find.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { connection } from '../../../graphql/graph/connection.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { StaffType } from '../../../identity/staff/schema.ts';
import { listShiftsOf, shiftLoader } from '../find.ts';
import { ShiftConnection, ShiftType, statusFilters } from './shift-schema.ts';

builder.objectField(ShiftType, 'assessments', (t) =>
  t.field({
    description: "The caller's assessments made in this shift, newest first. Scope `assessments.read`.",
    ...needs('assessments.read'),
    ...connection(AssessmentConnection, { most: 200, args: assessmentFilters }),
    resolve: ({ name }, args, call) => listAssessmentsOf(call, 'shift', name, args, args),
  }),
);

builder.prismaObjectField('Assessment', 'shift', (t) =>
  t.field({
    type: ShiftType,
    nullable: true,
    description: 'The counter shift in which the assessment was made; null outside counters. Scope `assessments.read`.',
    ...needs('assessments.read'),
    resolve: ({ shift }, _args, call, info) => followIfAny(call, info, shiftLoader, shift),
  }),
);

builder.prismaObjectField('Refund', 'shift', (t) =>
  t.field({
    type: ShiftType,
    nullable: true,
    description: 'The counter shift that paid it in cash; null for others. Scope `assessments.read`.',
    ...needs('assessments.read', { alone: true }),
    resolve: ({ shift }, _args, call, info) => followIfAny(call, info, shiftLoader, shift),
  }),
);

builder.prismaObjectField('Agency', 'shifts', (t) =>
  t.field({
    description:
      'The shifts at counters of this agency, newest first. For supervisors, finance officers and admins, and for keys with `assessments.read`; empty for those who do not supervise it.',
    ...needs('supervision.read', { alone: true }),
    ...connection(ShiftConnection, { most: 200, args: statusFilters }),
    resolve: ({ name }, args, call) => listShiftsOf(call, 'mda', name, args, args),
  }),
);

builder.objectField(StaffType, 'shifts', (t) =>
  t.field({
    description: 'The shifts of this member of staff, newest first. Scope `assessments.read`.',
    ...needs('assessments.read', { alone: true }),
    ...connection(ShiftConnection, { most: 200, args: statusFilters }),
    resolve: ({ email }, args, call) => listShiftsOf(call, 'clerk', email, args, args),
  }),
);
