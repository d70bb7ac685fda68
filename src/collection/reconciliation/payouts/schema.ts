import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { agencyCode, currencyCode, senderName } from '../../../graphql/input/forms.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { getAgency } from '../../catalogue/find.ts';
import { PAYOUT_STATES, type Payout, type PayoutState } from './find.ts';
import { MOST_DAYS, listPayoutsOf, loadPayoutOf } from './list.ts';

export const PayoutStateEnum = defineEnum<PayoutState>(
  'PayoutState',
  'The state of a payout: on its way, arrived, or else.',
  PAYOUT_STATES,
);

const amount = (description: string) => ({ type: 'Decimal', description }) as const;

export const PayoutType = builder.objectRef<Payout>('Payout').implement({
  description:
    "A provider's payout to an agency of one day of payments, in one currency. It is computed from payments, refunds, the provider's statements and the bank's.",
  fields: (t) => ({
    agencyId: t.exposeID('mda', { description: 'The code of the agency that is paid.', ...agencyCode }),
    agency: t.field(agencyField('The agency that is paid.')),
    provider: t.exposeString('provider', { description: 'The provider, connection or payment point, by its name.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    day: t.field({
      type: 'Date',
      description: 'The day of the payments, in the time zone of the agency.',
      resolve: ({ day }) => new Date(day),
    }),
    expected: t.expose('expected', amount('The amount of the payments of the day.')),
    fees: t.expose('fees', amount('Fees that the provider keeps back, as its statements have them.')),
    refunded: t.expose('refunded', amount('The amount that the provider gave back on the day.')),
    received: t.expose('received', {
      ...amount('The amount that arrived. Null if other agencies have the same account, too.'),
      nullable: true,
    }),
    difference: t.expose('difference', {
      ...amount('Received less what was due: `expected` without `fees` and `refunded`. Null where `received` is.'),
      nullable: true,
    }),
    dueOn: t.field({
      type: 'Date',
      description: 'The last day on which it is in time, by the working days of the country.',
      resolve: ({ dueOn }) => new Date(dueOn),
    }),
    arrivedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The value day of its last line at the bank; null if none is known.',
      resolve: ({ arrivedOn }) => (arrivedOn === null ? null : new Date(arrivedOn)),
    }),
    state: t.expose('state', {
      type: PayoutStateEnum,
      description: 'Its state; of all agencies together that have the account.',
    }),
  }),
});

const PayoutConnection = defineConnection('Payout', PayoutType, 'payouts');

const about = `by day, provider and currency; at most ${MOST_DAYS} days. Days appear that have payments, refunds or fees, or that a line of the bank is about.`;

const filters = builder.args((t) => ({
  fromDate: t.field({ type: 'Date', description: 'The first day. Default: 30 days before the last.' }),
  toDate: t.field({ type: 'Date', description: 'The last day. Default: today.' }),
  provider: t.id({ description: 'Only payouts of this provider, by its name.', ...senderName }),
  state: t.field({ type: PayoutStateEnum, description: 'Only payouts in this state.' }),
}));

const most = { most: 1_000, price: 50 };

builder.prismaObjectField('Agency', 'payouts', (t) =>
  t.field({
    description: `Payouts by providers to the agency, ${about}`,
    ...needs('books.read', { alone: true }),
    ...connection(PayoutConnection, { ...most, args: filters }),
    resolve: ({ name }, args, call) => listPayoutsOf(call, name, args, args),
  }),
);

builder.queryField('payouts', (t) =>
  t.field({
    description: `Payouts by providers to an agency, ${about} For supervisors, finance officers, auditors, operators and the oversight role, and an agency by a token with \`payments.read\`.`,
    ...needs('books.read'),
    ...connection(PayoutConnection, {
      ...most,
      args: {
        ...filters,
        agency: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
      },
    }),
    resolve: async (_root, { agency, ...args }, call) => {
      const { name } = await getAgency(call, agency);
      return listPayoutsOf(call, name, args, args);
    },
  }),
);

builder.prismaObjectField('PaymentEvent', 'payout', (t) =>
  t.field({
    type: PayoutType,
    nullable: true,
    description: 'The payout that it is a part of; null for cash, for allocated money, and for reversals.',
    ...needs('books.read', { alone: true }),
    complexity: { field: 20, multiplier: 1 },
    resolve: (event, _args, call) => loadPayoutOf(call, event),
  }),
);
