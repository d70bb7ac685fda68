import { listOffering } from '../../adapters/payment/aggregators.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import { Channel } from '../../generated/prisma/enums.ts';
import { builder } from '../../graphql/builder.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { figuresSpan, zoneArg } from '../common/arguments.ts';
import { holdDays } from './held.ts';
import { Oversight } from './oversight.ts';
import { Answer, type Row, idOf } from './query/answer.ts';
import type { DimensionName } from './query/dimensions.ts';
import type { GroupName } from './query/groups.ts';
import type { Question } from './query/question.ts';
import { FIGURES, RowType, TotalType, figuresOf } from './query/row-schema.ts';
import { closeLocalSpan } from '../common/span.ts';
import { say } from '../../kernel/text/said.ts';

/** Asks for measure groups of the span, by a dimension or as a whole. */
type Ask = (group: GroupName, by?: readonly DimensionName[], of?: Partial<Question>) => Answer;

const rowOf = (answer: Answer, key: Row['key'] = {}): Row => ({ answer, id: idOf(answer.keys, key), key });
const largest = [{ measure: 'net', direction: 'desc' }] as const;
const EVER = { from: new Date(0), to: new Date('9999-12-31') };

const ChannelType = builder.objectRef<{ readonly channel: Channel; readonly row: Row }>('ChannelStatistics').implement({
  description: 'Performance of a payment channel.',
  fields: (t) => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel that the figures are of.' }),
    available: t.boolean({
      description: 'True if the aggregator of this channel is connected and responding.',
      resolve: ({ channel }, _args, { rail }) =>
        listOffering(rail.aggregators, channel).some(({ adapter }) => adapter.available),
    }),
    attempts: t.field({
      type: FIGURES.get('attempts')!,
      nullable: true,
      description: 'Outcomes of attempts through it; null if too few people tried.',
      resolve: ({ row }) => figuresOf(row, 'attempts'),
    }),
  }),
});

const StatisticsType = builder.objectRef<{ readonly ask: Ask }>('OversightStatistics').implement({
  description: 'Key figures of a period.',
  fields: (t) => {
    const whole = (name: 'webhooks' | 'notices' | 'anomalies', description: string, of?: Partial<Question>) =>
      t.field({
        type: FIGURES.get(name)!,
        description,
        resolve: async ({ ask }) => {
          // They are zero where there are none.
          const figures = await figuresOf(rowOf(ask(name, [], of)), name);
          if (!figures) throw refuseValue('slice', say`has a member that these figures are not kept by`);
          return figures;
        },
      });
    return {
      totals: t.field({
        type: [TotalType],
        description: 'Total revenue by currency.',
        resolve: async ({ ask }) => [...(await ask('revenue').select([], largest))],
      }),
      channelMix: t.field({
        type: [RowType],
        description: 'Revenue by channel and currency.',
        resolve: async ({ ask }) => [...(await ask('revenue', ['channel']).select([], largest))],
      }),
      channels: t.field({
        type: [ChannelType],
        description: 'All payment channels, and how attempts through them went.',
        resolve: ({ ask }) => {
          const answer = ask('attempts', ['channel']);
          return Object.values(Channel).map((channel) => ({ channel, row: rowOf(answer, { channel }) }));
        },
      }),
      webhooks: whole('webhooks', 'Outcomes of deliveries to integrators.'),
      notices: whole('notices', 'Outcomes of notices of payments to agencies.'),
      openAnomalies: whole('anomalies', 'Open anomalies, whenever they were raised.', {
        ...EVER,
        slice: { status: ['Open'] },
      }),
    };
  },
});

builder.objectField(Oversight, 'statistics', (t) =>
  t.field({
    type: StatisticsType,
    description:
      'Key figures of a period: totals, the mix of channels and how each does, and delivery to integrators and agencies.',
    args: { ...figuresSpan, ...zoneArg },
    complexity: { field: 1, multiplier: 5 },
    resolve: async (held, args, call) => {
      const span = await closeLocalSpan(call, await holdDays(call, held, args));
      return {
        ask: (group, by = [], { slice = {}, ...of } = {}) =>
          new Answer(call, { ...span, by, ...of, slice: held.slice ? { ...slice, within: held.slice } : slice }, [
            group,
          ]),
      };
    },
  }),
);
