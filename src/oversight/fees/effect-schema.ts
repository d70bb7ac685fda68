import { builder } from '../../graphql/builder.ts';
import { between } from '../../graphql/input/forms.ts';
import { money } from '../common/stations.ts';
import { type FeeEffect, type FeePeriod, MOST_DAYS, readFeeEffect } from './effect.ts';
import { HeldFeeType } from './schema.ts';

const PeriodType = builder.objectRef<FeePeriod>('FeePeriod').implement({
  description:
    'Revenue of a service in whole days before or after its fee changed. The day of the change is in neither.',
  fields: (t) => ({
    days: t.exposeInt('days', {
      description: 'The number of days: as many as were asked for, or as many as the fee held until yesterday.',
    }),
    revenue: t.expose('revenue', money('Net revenue of the service in these days: collected less reversed.')),
    pieces: t.exposeInt('pieces', { description: 'The pieces sold in these days, less those reversed.' }),
    revenuePerDay: t.expose('revenuePerDay', {
      type: 'Decimal',
      nullable: true,
      description: 'Net revenue per day, to the minor unit of the currency; null if there is no day yet.',
    }),
    piecesPerDay: t.exposeFloat('piecesPerDay', {
      nullable: true,
      description: 'Pieces per day; null if there is no day yet.',
    }),
  }),
});

const EffectType = builder.objectRef<FeeEffect>('FeeEffect').implement({
  description: 'Revenue of a service before and after its fee changed. It does not say why.',
  fields: (t) => ({
    feeBefore: t.expose('feeBefore', money('The fee that held before.')),
    before: t.expose('before', {
      type: PeriodType,
      description: 'The days before the change in which the former fee held.',
    }),
    after: t.expose('after', {
      type: PeriodType,
      description: 'The days after the change in which this fee held.',
    }),
    revenueChange: t.exposeFloat('revenueChange', {
      nullable: true,
      description: 'The relative change of revenue per day; null if there was none before, or no day after yet.',
    }),
    piecesChange: t.exposeFloat('piecesChange', {
      nullable: true,
      description: 'The relative change of pieces per day; null if there were none before, or no day after yet.',
    }),
  }),
});

builder.objectFields(HeldFeeType, (t) => ({
  effect: t.field({
    type: EffectType,
    nullable: true,
    description:
      "Effect of this fee on revenue, by days of the agency's country. Null for the first fee of a service, and for one in another currency than the fee before.",
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 90,
        description: `Number of days compared before and after the change, 1 to ${MOST_DAYS}.`,
        ...between(1, MOST_DAYS),
      }),
    },
    complexity: { field: 20, multiplier: 1 },
    resolve: ({ name }, { days }, call) => readFeeEffect(call, name, days),
  }),
}));
