import { ShiftStatus, VarianceStatus } from '../../../generated/prisma/enums.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { defineConnection } from '../../../graphql/graph/connection.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import {
  agencyCode,
  between,
  currencyCode,
  freeText,
  integratorCode,
  ownDocname,
} from '../../../graphql/input/forms.ts';
import { PART_OF_ACCOUNT } from '../../../platform/access/needs.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { addAnomalySubject } from '../../../collection/anomalies/subject.ts';
import { integratorLoader } from '../../../accounts/integrators/find.ts';
import { IntegratorType } from '../../../accounts/integrators/integrator-schema.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { zero } from '../../../kernel/money.ts';
import { LONGEST_ADDRESS } from '../../../kernel/text/email.ts';
import { staffLoader, staffSeenBy } from '../../../identity/staff/find.ts';
import { STAFF_SEEN_BY, StaffType } from '../../../identity/staff/schema.ts';
import { type ReviewOrder, type Shift, type ShiftOrder, isBlind, shiftLoader } from '../find.ts';
import { MOST_PIECES } from '../variance.ts';
import { agencyField } from '../../../collection/catalogue/edges.ts';

export const ShiftStatusEnum = builder.enumType(ShiftStatus, {
  name: 'ShiftStatus',
  description: 'The status of a shift.',
  values: {
    Open: { description: 'Under way: what the clerk collects now counts towards it.' },
    Closed: { description: 'Over: the cash in the till was counted, and nothing more counts towards it.' },
    Cancelled: { description: 'Opened by mistake, and cancelled by a supervisor before anything was collected.' },
  },
});

const VarianceStatusEnum = builder.enumType(VarianceStatus, {
  name: 'VarianceStatus',
  description: 'Decision on the variance of a closed shift.',
  values: {
    Pending: { description: 'No supervisor has decided yet.' },
    Approved: { description: 'A supervisor accepted the variance with its reason.' },
    Rejected: { description: 'A supervisor did not accept the variance, and said why.' },
    Escalated: { description: 'A supervisor referred it to another, who may approve or reject it.' },
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

export const DenominationInput = builder.inputType('DenominationInput', {
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
  description:
    "A clerk's shift at a counter of one agency, from the opening float to the final cash count. Seen by the clerk, or the integrator whose key opened it, and by the supervisors of its agency.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('shift')),
    agencyId: t.exposeID('mda', { description: 'The code of the agency at whose counter it is.', ...agencyCode }),
    agency: t.field(agencyField('The agency at whose counter it is.')),
    clerkId: t.exposeID('clerk', {
      description: "The clerk's e-mail address, or the integrator's code if a key opened the shift.",
    }),
    clerk: t.field({
      type: StaffType,
      nullable: true,
      description: `The clerk; null if a key opened the shift. ${STAFF_SEEN_BY}`,
      resolve: ({ clerk }, _args, call, info) => followIfAny(call, info, staffLoader, staffSeenBy(call, clerk)),
    }),
    integratorId: t.exposeID('integrator', {
      nullable: true,
      description: 'The code of the integrator whose key opened the shift; null if a member of staff did.',
      ...integratorCode,
    }),
    integrator: t.field({
      type: IntegratorType,
      nullable: true,
      description:
        'The account whose key opened the shift; null if a member of staff did. For the integrator itself, admins, system managers and the oversight role; null for other integrators.',
      ...needs(PART_OF_ACCOUNT),
      // Read for its ID alone too: it says whether the caller sees it.
      resolve: ({ integrator }, _args, call) => (integrator === null ? null : integratorLoader.load(call, integrator)),
    }),
    counterLabel: t.exposeString('counterLabel', {
      nullable: true,
      description: 'Name of the counter, such as `Window 3`.',
    }),
    status: t.expose('status', { type: ShiftStatusEnum, description: 'State: open, closed or cancelled.' }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    openingFloat: t.expose('openingFloat', { type: 'Decimal', description: 'The cash in the till at opening.' }),
    openingNotes: t.exposeString('openingNotes', {
      nullable: true,
      description: 'Notes made when the shift was opened.',
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'Time at which the shift was opened.' }),
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
      description: 'The cash counted: the first of `counts`, once the shift is closed.',
    }),
    counts: t.expose('counts', {
      type: ['Decimal'],
      description:
        'Amounts at which the cash was counted, the first count first. Usually one; more where somebody counted again. Empty until it is counted, and for shifts that were closed before counts were kept.',
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
      description: 'The decision on the variance; null if the shift has no variance.',
    }),
    varianceNote: t.exposeString('varianceNote', {
      nullable: true,
      description: 'Note of the person who decided; null if they wrote nothing, or nobody decided yet.',
    }),
    varianceDecidedBy: t.string({
      nullable: true,
      description:
        "Author of the last decision, never the clerk: a member of staff, or an integrator's key together with who issued it.",
      resolve: ({ varianceDecidedBy: who, varianceKeyIssuedBy: issuer }) =>
        who && issuer ? `${who} (key issued by ${issuer})` : who,
    }),
    closingNotes: t.exposeString('closingNotes', {
      nullable: true,
      description: 'Notes made when the shift was closed.',
    }),
    cancelReason: t.exposeString('cancelReason', {
      nullable: true,
      description: 'Reason why a supervisor cancelled it; null if nobody did.',
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the shift was closed or cancelled.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time at which the record was created: as the shift was opened.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of its last change or collection.' }),
  }),
});

defineNode({
  typename: 'CounterShift',
  needs: ['assessments.read'],
  matches: (id) => isDocname('shift', id),
  loader: shiftLoader,
});

// A count that differs is found of a shift.
addAnomalySubject(ShiftType);

export const ShiftConnection = defineConnection('CounterShift', ShiftType, 'shifts');

const orders = {
  created_desc: 'By time of creation, the newest first.',
  created_asc: 'By time of creation, the oldest first.',
};

const ShiftOrderEnum = defineEnum<ShiftOrder>('CounterShiftOrder', 'The order of a list of shifts.', orders);

const ReviewOrderEnum = defineEnum<ReviewOrder>('ShiftReviewOrder', 'The order of a list of shifts with a variance.', {
  ...orders,
  variance_asc: 'By variance, the largest shortage first.',
  variance_desc: 'By variance, the largest surplus first.',
});

/** Filters that every list of shifts has. */
export const spanFilters = builder.args((t) => ({
  from: t.field({
    type: 'DateTime',
    description:
      'Only shifts opened at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
  }),
  to: t.field({
    type: 'DateTime',
    description: 'Only shifts opened at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
  }),
}));

export const statusFilters = builder.args((t) => ({
  status: t.field({ type: ShiftStatusEnum, description: 'Only shifts in this status. Default: in any.' }),
  orderBy: t.field({ type: ShiftOrderEnum, description: 'The order of the list. Default: the newest first.' }),
  ...spanFilters,
}));

export const reviewFilters = builder.args((t) => ({
  varianceStatus: t.field({
    type: VarianceStatusEnum,
    description: 'Only shifts on whose variance was decided so. Default: all that have one.',
  }),
  orderBy: t.field({ type: ReviewOrderEnum, description: 'The order of the list. Default: the newest first.' }),
  ...spanFilters,
}));

export const placeFilters = builder.args((t) => ({
  agency: t.id({ description: 'Only shifts at counters of this agency, by its code.', ...agencyCode }),
  clerk: t.string({
    description: 'Only shifts of this clerk: an e-mail address, or the code of an integrator whose key opened them.',
    ...freeText(LONGEST_ADDRESS),
  }),
}));
