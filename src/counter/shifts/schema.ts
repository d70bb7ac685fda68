import { ShiftStatus, VarianceStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, between, currencyCode, docname, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import type { Decimal } from '../../kernel/money.ts';
import { zero } from '../../kernel/money.ts';
import { closeShift } from './close.ts';
import { refreshShift } from './count.ts';
import { type Shift, findActiveShift, getShift, isBlind, listShifts } from './find.ts';
import { openShift } from './open.ts';
import { MOST_DENOMINATIONS, MOST_PIECES } from './variance.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/contact.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { listReasons } from '../../kernel/reasons.ts';

const ShiftStatusEnum = builder.enumType(ShiftStatus, {
  name: 'ShiftStatus',
  description: 'The status of a shift.',
  values: {
    Open: { description: 'Open for collections.' },
    Closed: { description: 'Closed, with the cash counted.' },
    Cancelled: { description: 'Cancelled before anything was collected.' },
  },
});

export const VarianceStatusEnum = builder.enumType(VarianceStatus, {
  name: 'VarianceStatus',
  description: 'The decision on a variance.',
  values: {
    Pending: { description: 'Awaiting a decision.' },
    Approved: { description: 'The variance was accepted.' },
    Rejected: { description: 'The variance was not accepted.' },
    Escalated: { description: 'Referred to someone else for decision.' },
  },
});

interface Pieces {
  readonly value: Decimal | number;
  readonly count: number;
}

const DenominationType = builder.objectRef<Pieces>('Denomination').implement({
  description: 'A number of notes or coins of one denomination.',
  fields: (t) => ({
    value: t.field({
      type: 'Decimal',
      description: 'The value of one note or coin.',
      resolve: ({ value }) => zero.plus(value),
    }),
    count: t.exposeInt('count', { description: 'The number of notes or coins.' }),
  }),
});

const DenominationInput = builder.inputType('DenominationInput', {
  description: 'A number of notes or coins of one denomination.',
  fields: (t) => ({
    value: t.field({ type: 'Decimal', required: true, description: 'The value of one note or coin.' }),
    count: t.int({
      required: true,
      description: 'The number of notes or coins, 0 to 1,000,000.',
      ...between(0, MOST_PIECES),
    }),
  }),
});

const blind = 'Null for the clerk of an Open shift while blind counting is on.';

export const ShiftType = builder.objectRef<Shift>('CounterShift').implement({
  description: "A clerk's shift at a counter of one agency, from the opening float to the final cash count.",
  fields: (t) => ({
    name: t.exposeID('name', {
      description: 'The unique identifier (docname), `SHIFT-<yyyy>-<mm>-<dd>-<3 digits>`.',
      ...docname('shift'),
    }),
    mda: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    clerk: t.exposeString('clerk', {
      description: "The clerk's e-mail address, or the integrator's code if a key opened the shift.",
    }),
    counterLabel: t.exposeString('counterLabel', { nullable: true, description: 'A label for the counter.' }),
    status: t.expose('status', { type: ShiftStatusEnum, description: 'The current status.' }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    openingFloat: t.expose('openingFloat', { type: 'Decimal', description: 'The cash in the till at opening.' }),
    openingNotes: t.exposeString('openingNotes', {
      nullable: true,
      description: 'Notes made when the shift was opened.',
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When the shift was opened.' }),
    cashCollected: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Cash collected, less reversals. ${blind}`,
      resolve: (shift, _args, call) => (isBlind(call, shift) ? null : shift.cashCollected),
    }),
    nonCashCollected: t.expose('nonCashCollected', {
      type: 'Decimal',
      description: 'Collections in other channels, less reversals.',
    }),
    collectionCount: t.exposeInt('collectionCount', {
      description: 'The number of collections, excluding reversed ones.',
    }),
    expectedCash: t.field({
      type: 'Decimal',
      nullable: true,
      description: `The opening float plus cash collected. ${blind}`,
      resolve: (shift, _args, call) => (isBlind(call, shift) ? null : shift.expectedCash),
    }),
    cashCounted: t.expose('cashCounted', {
      type: 'Decimal',
      nullable: true,
      description: 'The cash counted when the shift was closed.',
    }),
    denominations: t.field({
      type: [DenominationType],
      nullable: true,
      description: 'The count by denomination, if provided.',
      resolve: ({ denominations }) => denominations as Pieces[] | null,
    }),
    variance: t.expose('variance', {
      type: 'Decimal',
      nullable: true,
      description: 'The variance: cash counted less cash expected.',
    }),
    varianceReason: t.exposeString('varianceReason', {
      nullable: true,
      description: "The clerk's explanation of the variance.",
    }),
    varianceStatus: t.expose('varianceStatus', {
      type: VarianceStatusEnum,
      nullable: true,
      description: 'The decision on the variance; null if there is none.',
    }),
    varianceNote: t.exposeString('varianceNote', { nullable: true, description: 'The note on the last decision.' }),
    varianceDecidedBy: t.string({
      nullable: true,
      description:
        "Who made the last decision, never the clerk: a member of staff, or an integrator's key together with who issued it.",
      resolve: ({ varianceDecidedBy: who, varianceKeyIssuedBy: issuer }) =>
        who && issuer ? `${who} (key issued by ${issuer})` : who,
    }),
    closingNotes: t.exposeString('closingNotes', {
      nullable: true,
      description: 'Notes made when the shift was closed.',
    }),
    cancelReason: t.exposeString('cancelReason', { nullable: true, description: 'The reason for the cancellation.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the shift was closed or cancelled.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the shift was opened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.queryFields((t) => ({
  counterShifts: t.field({
    type: [ShiftType],
    description:
      "The shifts visible to the caller, newest first: an integrator's own, or all for staff. Scope `assessments.read`.",
    ...needs('assessments.read'),
    args: {
      clerk: t.arg.string({ description: 'Filter by clerk.', ...freeText(LONGEST_ADDRESS) }),
      mda: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
      status: t.arg({ type: ShiftStatusEnum, description: 'Filter by status.' }),
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
    resolve: (_root, args, call) => listShifts(call, args, args),
  }),
  counterShift: t.field({
    type: ShiftType,
    description:
      'Returns a shift. Scope `assessments.read`. `not_found` if it does not exist or the caller may not see it.',
    ...needs('assessments.read'),
    args: { name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }) },
    resolve: (_root, { name }, call) => getShift(call, name),
  }),
  activeShift: t.field({
    type: ShiftType,
    nullable: true,
    description: "The caller's Open shift at an agency; null if there is none. Scope `assessments.read`.",
    ...needs('assessments.read'),
    args: { mda: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }) },
    resolve: (_root, { mda }, call) => findActiveShift(call, mda),
  }),
}));

builder.mutationFields((t) => ({
  openShift: t.field({
    type: ShiftType,
    description:
      'Opens a shift for the caller at an agency. Scope `assessments.write`.' +
      listReasons('shift_already_open', 'not_found'),
    ...needs('assessments.write'),
    args: {
      mda: t.arg.id({ required: true, description: 'The code of an Active agency.', ...agencyCode }),
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
      openingNotes: t.arg.string({ description: 'Notes, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, args, call) => openShift(call, args),
    answerAgain: getShift,
  }),
  refreshShift: t.field({
    type: ShiftType,
    description:
      "Recalculates an Open shift's totals from its payment events. Scope `assessments.write`; for the clerk of the shift or a supervisor." +
      listReasons('shift_not_open'),
    ...needs('assessments.write'),
    args: { name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }) },
    resolve: (_root, { name }, call) => refreshShift(call, name),
    answerAgain: getShift,
  }),
  closeShift: t.field({
    type: ShiftType,
    description:
      'Closes an Open shift with the cash counted. Scope `assessments.write`; for the clerk of the shift or a supervisor.' +
      listReasons('shift_not_open', 'variance_reason_required'),
    ...needs('assessments.write'),
    args: {
      name: t.arg.id({ required: true, description: "The shift's docname.", ...docname('shift') }),
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
      closingNotes: t.arg.string({ description: 'Notes, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, args, call) => closeShift(call, args),
    answerAgain: getShift,
  }),
}));
