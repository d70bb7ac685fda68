import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { ChannelEnum } from '../../../collection/payments/schema/intent-schema.ts';
import { WHOLE_MONTHS } from '../../figures/small-cells.ts';
import {
  READ_WITH_ROW,
  agencyListArg,
  channelsArg,
  figuresSpan,
  groupsPaging,
  pricedBySpan,
} from '../../root/arguments.ts';
import { SMALLER_GROUPS } from '../../root/few.ts';
import { addAgency } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import {
  type AttemptsGrouping,
  type AttemptsOrder,
  type AttemptsRow,
  type FailureCause,
  listCauses,
  readAttempts,
} from './attempts.ts';

const nullable = { nullable: true } as const;

const FailureCauseEnum = defineEnum<FailureCause>(
  'FailureCause',
  "Why an attempt to pay came to nothing, from the payment provider's words.",
  {
    insufficient_funds: 'The payer had not enough money.',
    limit_reached: "A limit of the payer's account was reached.",
    wrong_pin: 'The PIN or password was wrong.',
    declined: "The payer, or the payer's bank, declined.",
    timed_out: 'The payer did not answer in time.',
    unknown_account: 'The provider does not know the account or card, or it is no longer valid.',
    not_permitted: 'The provider does not let the account make this payment.',
    provider_error: 'The provider reported a failure of its own.',
    other: 'Another reason, or none given.',
    expired: 'Neither confirmed nor refused before the payment intent expired.',
  },
);

const AttemptsGroupingEnum = builder.enumType('AttemptsGrouping', {
  description: 'A dimension by which attempts to pay are grouped.',
  values: {
    channel: { description: 'The payment channel, such as mobile money.' },
    agency: { description: 'The agency that was to get the largest part.' },
    month: { description: 'The month in which the attempt began (UTC).' },
  } satisfies Record<AttemptsGrouping, object>,
});
const AttemptsOrderEnum = builder.enumType('AttemptsOrder', {
  description: 'A sort order for attempts to pay.',
  values: {
    key: { description: 'By the values of the groups.' },
    attempts: { description: 'By number of attempts, most first.' },
    failed: { description: 'By number of failures, most first.' },
    expired: { description: 'By number of expiries, most first.' },
    successRate: { description: 'By share of successful attempts, lowest first.' },
  } satisfies Record<AttemptsOrder, object>,
});

const CauseCountType = builder
  .objectRef<{ readonly cause: FailureCause; readonly attempts: number }>('FailureCauseCount')
  .implement({
    description: 'How many attempts came to nothing for one cause.',
    fields: (t) => ({
      cause: t.expose('cause', { type: FailureCauseEnum, description: 'Why they did not succeed.' }),
      attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    }),
  });

const AttemptsRowType = builder.objectRef<AttemptsRow>('AttemptsRow').implement({
  description: `How attempts to pay of one group went. Each counts once, for the agency that was to get the largest part. Dimensions that were not asked for are null. The people counted are those who tried. ${WHOLE_MONTHS} ${SMALLER_GROUPS}`,
  fields: (t) => ({
    channel: t.field({
      type: ChannelEnum,
      ...nullable,
      description: 'The payment channel; null if not grouped by it.',
      resolve: (row) => row.channel ?? null,
    }),
    month: t.exposeString('month', {
      ...nullable,
      description: 'The month, `YYYY-MM`; null if not grouped by it.',
    }),
    attempts: t.exposeInt('attempts', { ...nullable, description: 'The number of attempts.' }),
    confirmed: t.exposeInt('confirmed', { ...nullable, description: 'The number of attempts that were paid.' }),
    failed: t.exposeInt('failed', { ...nullable, description: 'The number of attempts that failed.' }),
    expired: t.exposeInt('expired', { ...nullable, description: 'The number of attempts that expired unpaid.' }),
    open: t.exposeInt('open', { ...nullable, description: 'The number of attempts awaiting payment.' }),
    successRate: t.exposeFloat('successRate', {
      ...nullable,
      description: 'The share of paid attempts among those that are final, 0 to 1.',
    }),
    causes: t.field({
      type: [CauseCountType],
      ...nullable,
      description: 'Why attempts failed or expired, the most frequent cause first.',
      ...READ_WITH_ROW,
      resolve: listCauses,
    }),
  }),
});
addAgency(AttemptsRowType);

const AttemptsRowConnection = defineConnection('AttemptsRow', AttemptsRowType, 'groups of attempts to pay');

builder.objectFields(Oversight, (t) => ({
  attempts: t.field({
    description: 'How attempts to pay went, and why they failed, grouped by any combination of dimensions.',
    ...connection(AttemptsRowConnection, {
      ...groupsPaging(100),
      args: {
        groupBy: t.arg({
          type: [AttemptsGroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by. Default: none, one row.',
          ...shape({ maxItems: 10 }),
        }),
        ...figuresSpan,
        ...agencyListArg,
        ...channelsArg,
        orderBy: t.arg({
          type: AttemptsOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: pricedBySpan(100, 3),
    resolve: (_root, args, call) => readAttempts(call, args, { ...args, filter: args }),
  }),
}));
