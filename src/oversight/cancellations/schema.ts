import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { FEWEST_PEOPLE } from '../common/small-cells.ts';
import { money } from '../common/stations.ts';
import { agencyListArg, channelsArg, currenciesArg, figuresSpan, zoneArg } from '../common/arguments.ts';
import { holdDays, holdSlice } from '../figures/held.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { addAgencyOf } from '../common/edges.ts';
import { Oversight } from '../figures/oversight.ts';
import { type Cancellation, type CancellationKind, type CancellationOrder, listCancellations } from './find.ts';
import { readReason } from './reasons.ts';

const KindEnum = builder.enumType('CancellationKind', {
  description: 'Kind of cancellation: with or without a return of money.',
  values: {
    reversal: { description: 'A payment was reversed: the money is owed back to the payer.' },
    cancellation: {
      description: `An assessed demand was cancelled before it was paid: no money moved. Reported for months (UTC) in which the agency cancelled demands on ${FEWEST_PEOPLE} people or more, as soon as that many share them.`,
    },
  } satisfies Record<CancellationKind, object>,
});

const OrderEnum = builder.enumType('CancellationOrder', {
  description: 'A sort order for reversals and cancellations.',
  values: {
    newest: { description: 'By time, most recent first.' },
    oldest: { description: 'By time, earliest first.' },
    largest: { description: 'By amount, largest first. Amounts of different currencies are compared as numbers.' },
  } satisfies Record<CancellationOrder, object>,
});

const CancellationType = builder.objectRef<Cancellation>('OverseenCancellation').implement({
  description:
    "A reversed payment, or a demand cancelled before it was paid: one agency's part of it. Who did it is in the audit trail of operators.",
  fields: (t) => ({
    id: t.exposeID('name', {
      description:
        'ID of the cancellation. A reversal has the docname of its payment event; a cancellation has a name that is used here only: `CNL-` and 24 hexadecimal digits.',
    }),
    kind: t.expose('kind', {
      type: KindEnum,
      description: 'Kind: a payment was reversed, or an unpaid demand cancelled.',
    }),
    amount: t.expose('amount', money('The amount reversed or cancelled, as a positive number.')),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    channel: t.expose('channel', {
      type: ChannelEnum,
      nullable: true,
      description: 'The channel of the payment that was reversed; null for a cancellation.',
    }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', description: 'Time of the reversal or cancellation.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the payment had been made; null for a cancellation.',
    }),
    ageDays: t.float({
      nullable: true,
      description: 'The time from payment to reversal in days, to a thousandth; null for a cancellation.',
      resolve: ({ paidAt, cancelledAt }) =>
        paidAt && Math.round(((cancelledAt.getTime() - paidAt.getTime()) / DAY_MS) * 1_000) / 1_000,
    }),
    counterAgencyId: t.exposeID('counterAgency', {
      nullable: true,
      description: 'The code of the agency at whose counter it was taken; null if it was taken at no counter.',
      ...agencyCode,
    }),
    counterAgency: t.field({
      type: 'Agency',
      nullable: true,
      description: 'The agency at whose counter it was taken; null if it was taken at no counter.',
      resolve: ({ counterAgency }, _args, call, info) => followIfAny(call, info, agencyLoader, counterAgency),
    }),
    counter: t.exposeString('counter', {
      nullable: true,
      description: 'The label of that counter; null if it was taken at no counter, or at one without a label.',
    }),
    explained: t.exposeBoolean('explained', { description: 'True if a reason was given.' }),
    reason: t.string({
      nullable: true,
      description:
        'The reason in the words of the canceller, which may name people; null if none was given. Scope `oversight.audit`, which only operators grant.',
      ...needs('oversight.audit'),
      complexity: 2,
      resolve: (row, _args, call) => readReason(call, row),
    }),
    sameHand: t.exposeBoolean('sameHand', {
      nullable: true,
      description:
        'True if the person who took the money at the counter also reversed it. Null for a cancellation, for money that nobody took by hand, and if no trace says who did.',
    }),
  }),
});

addAgencyOf(CancellationType, 'that the amount was owed to');

const CancellationConnection = defineConnection(
  'OverseenCancellation',
  CancellationType,
  'reversals and cancellations',
);

builder.objectField(Oversight, 'cancellations', (t) =>
  t.field({
    description:
      'Payments that were reversed, and demands cancelled before they were paid, each as of the agency that it was owed to.',
    ...connection(CancellationConnection, {
      most: 1_000,
      args: {
        ...figuresSpan,
        ...zoneArg,
        ...agencyListArg,
        ...channelsArg,
        ...currenciesArg,
        kind: t.arg({ type: KindEnum, description: 'Only reversals, or only cancellations of unpaid demands.' }),
        minAmount: t.arg({ type: 'Decimal', description: 'The least amount, inclusive.' }),
        maxAmount: t.arg({ type: 'Decimal', description: 'The largest amount, inclusive.' }),
        orderBy: t.arg({
          type: OrderEnum,
          required: true,
          defaultValue: 'newest',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    resolve: async (held, { orderBy, first, after, last, before, offset, ...filter }, call) => {
      const kept = { agency: 'agency', channel: 'channel', currency: 'currency' } as const;
      const within = await holdDays(call, held, holdSlice(held, filter, kept));
      return listCancellations(call, within, orderBy, { first, after, last, before, offset });
    },
  }),
);
