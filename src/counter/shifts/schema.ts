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
import { LONGEST_ADDRESS, LONGEST_LABEL } from '../../kernel/text.ts';
import { refusedFor } from '../../kernel/reasons.ts';

const ShiftStatusEnum = builder.enumType(ShiftStatus, {
  name: 'ShiftStatus',
  description: 'Where a shift stands.',
  values: {
    Open: { description: 'It counts what is collected.' },
    Closed: { description: 'The cash was counted.' },
    Cancelled: { description: 'Opened by mistake; nothing was collected in it.' },
  },
});

export const VarianceStatusEnum = builder.enumType(VarianceStatus, {
  name: 'VarianceStatus',
  description: 'What was decided of a variance.',
  values: {
    Pending: { description: 'Nothing yet.' },
    Approved: { description: 'It is accepted.' },
    Rejected: { description: 'It is not accepted.' },
    Escalated: { description: 'Somebody else has to decide.' },
  },
});

interface Pieces {
  readonly value: Decimal | number;
  readonly count: number;
}

const DenominationType = builder.objectRef<Pieces>('Denomination').implement({
  description: 'So many notes or coins of one value.',
  fields: (t) => ({
    value: t.field({ type: 'Decimal', description: 'What one is worth.', resolve: ({ value }) => zero.plus(value) }),
    count: t.exposeInt('count', { description: 'How many there are.' }),
  }),
});

const DenominationInput = builder.inputType('DenominationInput', {
  description: 'So many notes or coins of one value.',
  fields: (t) => ({
    value: t.field({ type: 'Decimal', required: true, description: 'What one is worth.' }),
    count: t.int({ required: true, description: 'How many there are, 0 to 1,000,000.', ...between(0, MOST_PIECES) }),
  }),
});

const blind = 'Null while a blind count keeps it from the clerk of an Open shift.';

export const ShiftType = builder.objectRef<Shift>('CounterShift').implement({
  description: "A clerk's session at a counter of one agency, from the float to the count.",
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `SHIFT-<yyyy>-<mm>-<dd>-<3 digits>`.', ...docname('shift') }),
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    clerk: t.exposeString('clerk', { description: "The clerk's address, or the integrator's code for a key." }),
    counterLabel: t.exposeString('counterLabel', { nullable: true, description: 'Which counter.' }),
    status: t.expose('status', { type: ShiftStatusEnum, description: 'Where it stands.' }),
    currency: t.exposeString('currency', { description: 'The currency that it counts (ISO 4217).', ...currencyCode }),
    openingFloat: t.expose('openingFloat', { type: 'Decimal', description: 'The cash that it began with.' }),
    openingNotes: t.exposeString('openingNotes', { nullable: true, description: 'Remarks at the opening.' }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was opened.' }),
    cashCollected: t.field({
      type: 'Decimal',
      nullable: true,
      description: `The cash that its collections brought, less what was reversed. ${blind}`,
      resolve: (shift, _args, call) => (isBlind(call, shift) ? null : shift.cashCollected),
    }),
    nonCashCollected: t.expose('nonCashCollected', { type: 'Decimal', description: 'What its other collections brought, less what was reversed.' }),
    collectionCount: t.exposeInt('collectionCount', { description: 'How many collections it has, those that were reversed not among them.' }),
    expectedCash: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Float and cash collected. ${blind}`,
      resolve: (shift, _args, call) => (isBlind(call, shift) ? null : shift.expectedCash),
    }),
    cashCounted: t.expose('cashCounted', { type: 'Decimal', nullable: true, description: 'The cash that was counted at the close.' }),
    denominations: t.field({
      type: [DenominationType],
      nullable: true,
      description: 'The count by notes and coins, where it was given.',
      resolve: ({ denominations }) => denominations as Pieces[] | null,
    }),
    variance: t.expose('variance', { type: 'Decimal', nullable: true, description: 'Counted less expected.' }),
    varianceReason: t.exposeString('varianceReason', { nullable: true, description: "The clerk's explanation." }),
    varianceStatus: t.expose('varianceStatus', {
      type: VarianceStatusEnum,
      nullable: true,
      description: 'What was decided of it; null where there is none.',
    }),
    varianceNote: t.exposeString('varianceNote', { nullable: true, description: 'The note of who decided last.' }),
    varianceDecidedBy: t.string({
      nullable: true,
      description: 'Who decided last, never the clerk: a member of staff, or an integrator by its key, with who issued that.',
      resolve: ({ varianceDecidedBy: who, varianceKeyIssuedBy: issuer }) => (who && issuer ? `${who} (key issued by ${issuer})` : who),
    }),
    closingNotes: t.exposeString('closingNotes', { nullable: true, description: 'Remarks at the close.' }),
    cancelReason: t.exposeString('cancelReason', { nullable: true, description: 'Why it was cancelled.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it was closed or cancelled.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was opened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.queryFields((t) => ({
  counterShifts: t.field({
    type: [ShiftType],
    description: "The shifts that you may see, newest first: an integrator's own, or all for staff. Scope `assessments.read`.",
    ...needs('assessments.read'),
    args: {
      clerk: t.arg.string({ description: 'Only those of this clerk.', ...freeText(LONGEST_ADDRESS) }),
      mda: t.arg.id({ description: 'Only those of this agency.', ...agencyCode }),
      status: t.arg({ type: ShiftStatusEnum, description: 'Only those in this state.' }),
      fromDate: t.arg({ type: 'DateTime', description: 'Only those opened at this moment or later; a bare day, `YYYY-MM-DD`, is its beginning.' }),
      toDate: t.arg({ type: 'DateTime', description: 'Only those opened at this moment or earlier; a bare day, `YYYY-MM-DD`, is included whole.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listShifts(call, args, args),
  }),
  counterShift: t.field({
    type: ShiftType,
    description: 'One shift. Scope `assessments.read`. `not_found` where there is none that you may see.',
    ...needs('assessments.read'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('shift') }) },
    resolve: (_root, { name }, call) => getShift(call, name),
  }),
  activeShift: t.field({
    type: ShiftType,
    nullable: true,
    description: 'Your own Open shift at an agency; null where there is none. Scope `assessments.read`.',
    ...needs('assessments.read'),
    args: { mda: t.arg.id({ required: true, description: 'The agency.', ...agencyCode }) },
    resolve: (_root, { mda }, call) => findActiveShift(call, mda),
  }),
}));

builder.mutationFields((t) => ({
  openShift: t.field({
    type: ShiftType,
    description: 'Opens your shift at an agency. Scope `assessments.write`.' + refusedFor('shift_already_open', 'not_found'),
    ...needs('assessments.write'),
    args: {
      mda: t.arg.id({ required: true, description: 'The agency, an Active one.', ...agencyCode }),
      counterLabel: t.arg.string({ description: 'Which counter, at most 100 characters.', ...freeText(LONGEST_LABEL) }),
      openingFloat: t.arg({ type: 'Decimal', required: true, description: 'The cash that you begin with.', ...shape({ minimum: 0 }) }),
      currency: t.arg.string({ required: true, description: 'The currency that you count (ISO 4217).', ...currencyCode }),
      openingNotes: t.arg.string({ description: 'Remarks, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, args, call) => openShift(call, args),
    answerAgain: getShift,
  }),
  refreshShift: t.field({
    type: ShiftType,
    description:
      'Counts an Open shift anew from its payment events. Scope `assessments.write`; your own shift, or as a supervisor.' +
      refusedFor('shift_not_open'),
    ...needs('assessments.write'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('shift') }) },
    resolve: (_root, { name }, call) => refreshShift(call, name),
    answerAgain: getShift,
  }),
  closeShift: t.field({
    type: ShiftType,
    description:
      'Closes an Open shift on the cash that was counted. Scope `assessments.write`; your own shift, or as a supervisor.' +
      refusedFor('shift_not_open', 'variance_reason_required'),
    ...needs('assessments.write'),
    args: {
      name: t.arg.id({ required: true, description: 'Its docname.', ...docname('shift') }),
      cashCounted: t.arg({ type: 'Decimal', required: true, description: 'The cash in the till.', ...shape({ minimum: 0 }) }),
      denominations: t.arg({
        type: [DenominationInput],
        description: 'The same by notes and coins; must add up to it.',
        ...shape({ maxItems: MOST_DENOMINATIONS }),
      }),
      varianceReason: t.arg.string({ description: 'Why it is not what is expected, at most 1,000 characters.', ...freeText() }),
      closingNotes: t.arg.string({ description: 'Remarks, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_root, args, call) => closeShift(call, args),
    answerAgain: getShift,
  }),
}));
