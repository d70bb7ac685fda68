import { builder, needs } from '../../graphql/builder.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { agencyCode, currencyCode, docnameArg, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { closeShift } from './close.ts';
import { refreshShift } from './count.ts';
import { findActiveShift, getShift, listShifts } from './find.ts';
import { openShift } from './open.ts';
import { DenominationInput, ShiftConnection, ShiftType, placeFilters, statusFilters } from './schema/shift-schema.ts';
import { MOST_DENOMINATIONS } from './variance.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { listReasons } from '../../kernel/reasons.ts';
import './schema/edges-schema.ts';

builder.queryFields((t) => ({
  counterShifts: t.field({
    description:
      "The shifts visible to the caller, newest first: an integrator's own, or all for staff. Scope `assessments.read`.",
    ...needs('assessments.read'),
    ...connection(ShiftConnection, { most: 200, args: { ...placeFilters, ...statusFilters } }),
    resolve: (_root, args, call) => listShifts(call, args, args),
  }),
  counterShift: t.field({
    type: ShiftType,
    description:
      'Returns a shift. Scope `assessments.read`. `not_found` if it does not exist or the caller may not see it.',
    ...needs('assessments.read'),
    args: { id: t.arg.id(docnameArg('shift')) },
    resolve: (_root, { id }, call) => getShift(call, id),
  }),
  activeShift: t.field({
    type: ShiftType,
    nullable: true,
    description: "The caller's Open shift at an agency; null if there is none. Scope `assessments.read`.",
    ...needs('assessments.read'),
    args: {
      agency: t.arg.id({
        required: true,
        description: 'The code of the agency at whose counter it is.',
        ...agencyCode,
      }),
    },
    resolve: (_root, { agency }, call) => findActiveShift(call, agency),
  }),
}));

builder.mutationFields((t) => ({
  openShift: t.field({
    type: ShiftType,
    description:
      'Opens a shift for the caller at an agency. Scope `assessments.write`.' +
      listReasons('shift_already_open', 'not_found', 'agency_not_allowed'),
    ...needs('assessments.write', { people: 'alone' }),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of an Active agency.', ...agencyCode }),
      counterLabel: t.arg.string({
        description: 'A label for the counter, at most 100 characters.',
        ...freeText(LONGEST_LABEL),
      }),
      openingFloat: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The cash in the till at opening.',
        ...shape({ minimum: 0 }),
      }),
      currency: t.arg.string({ required: true, description: 'The currency of the shift (ISO 4217).', ...currencyCode }),
      openingNotes: t.arg.string({ description: 'Notes about the opening, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, args, call) => openShift(call, args),
    answerAgain: getShift,
  }),
  refreshShift: t.field({
    type: ShiftType,
    description:
      "Recalculates an Open shift's totals from its payment events. Scope `assessments.write`; for the clerk of the shift or a supervisor." +
      listReasons('shift_not_open'),
    ...needs('assessments.write', { people: 'alone' }),
    args: { id: t.arg.id(docnameArg('shift')) },
    resolve: (_root, { id }, call) => refreshShift(call, id),
    answerAgain: getShift,
  }),
  closeShift: t.field({
    type: ShiftType,
    description:
      'Closes an Open shift with the cash counted. The first count is kept, also where `variance_reason_required` refuses it. A later one is recorded in `counts` and does not replace it. Until it is closed no cash is collected in the shift (`shift_counted`). Scope `assessments.write`; for the clerk of the shift or a supervisor.' +
      listReasons('shift_not_open', 'unpaid_assessments', 'variance_reason_required'),
    ...needs('assessments.write', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('shift')),
      cashCounted: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The cash counted in the till.',
        ...shape({ minimum: 0 }),
      }),
      denominations: t.arg({
        type: [DenominationInput],
        description: 'The count by denomination; must add up to `cashCounted`.',
        ...shape({ maxItems: MOST_DENOMINATIONS }),
      }),
      varianceReason: t.arg.string({
        description: 'The reason for a variance, at most 1,000 characters.',
        ...freeText(),
      }),
      closingNotes: t.arg.string({ description: 'Notes about the closing, at most 1,000 characters.', ...freeText() }),
      leaveUnpaid: t.arg.boolean({
        description:
          'With false it is refused (`unpaid_assessments`) while the shift has assessments that are Draft or Assessed. Default: it closes, and they stay unpaid.',
      }),
    },
    resolve: (_root, { id, ...closing }, call) => closeShift(call, { name: id, ...closing }),
    answerAgain: getShift,
  }),
}));
