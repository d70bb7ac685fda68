import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { currencyCode } from '../../graphql/input/forms.ts';
import { AnomalyKindEnum, SeverityEnum } from '../../collection/anomalies/schema.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import { FEWEST_PEOPLE } from '../common/small-cells.ts';
import { money } from '../common/stations.ts';
import { agencyListArg, currenciesArg, figuresSpan } from '../common/arguments.ts';
import { holdDays, holdSlice } from '../figures/held.ts';
import { addAgencyOf } from '../common/edges.ts';
import { Oversight } from '../figures/oversight.ts';
import { type AnomaliesOfDay, type ChannelTakings, type DailyClose, MOST_DAYS, listDailyCloses } from './find.ts';
import type { ShiftsOfDay } from './shifts.ts';

const counts = {
  payments: 'The number of payments of the day.',
  reversals: 'The number of reversals of the day.',
};

const ChannelType = builder.objectRef<ChannelTakings>('ChannelTakings').implement({
  description: 'Amounts that an agency took through one channel on one day.',
  fields: (t) => ({
    channel: t.expose('channel', {
      type: ChannelEnum,
      description: 'The payment channel through which it was taken.',
    }),
    collected: t.expose('collected', money('The amount collected through the channel.')),
    reversed: t.expose('reversed', money('The amount reversed of it, as a positive number.')),
    payments: t.exposeInt('payments', { description: counts.payments }),
    reversals: t.exposeInt('reversals', { description: counts.reversals }),
  }),
});

const ShiftsType = builder.objectRef<ShiftsOfDay>('ShiftsOfDay').implement({
  description: 'Sums over all counter shifts of an agency that were closed on a day.',
  fields: (t) => ({
    shifts: t.exposeInt('shifts', { description: 'The number of shifts that were closed.' }),
    expected: t.expose('expected', money('The cash expected: opening floats and cash collected.')),
    counted: t.expose('counted', money('The cash that was counted.')),
    variance: t.expose('variance', money('The difference, counted less expected; negative if cash was missing.')),
  }),
});

const AnomaliesType = builder.objectRef<AnomaliesOfDay>('AnomaliesOfDay').implement({
  description: 'Anomalies of one kind that were detected on a day, whether resolved by now or not.',
  fields: (t) => ({
    kind: t.expose('kind', { type: AnomalyKindEnum, description: 'The kind of anomaly.' }),
    severity: t.expose('severity', {
      type: SeverityEnum,
      description: 'Urgency of the anomalies.',
    }),
    count: t.exposeInt('count', { description: 'Number of the kind that were detected.' }),
  }),
});

const CloseType = builder.objectRef<DailyClose>('DailyClose').implement({
  description:
    "A day of an agency in one currency. Collections less reversals lead from the opening to the closing, which is the next day's opening.",
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day that is closed.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    opening: t.expose('opening', money('All net revenue of the agency before the day.')),
    collected: t.expose('collected', money('The amount collected on the day.')),
    reversed: t.expose('reversed', money('The amount reversed on the day, as a positive number.')),
    closing: t.expose('closing', money('The opening, and what was collected, less what was reversed.')),
    payments: t.exposeInt('payments', { description: counts.payments }),
    reversals: t.exposeInt('reversals', { description: counts.reversals }),
    channels: t.field({
      type: [ChannelType],
      description: 'The takings of the day by channel; empty if there were none.',
      complexity: { field: 1, multiplier: 4 },
      resolve: ({ channels }) => [...channels],
    }),
    shifts: t.field({
      type: ShiftsType,
      nullable: true,
      description: `The counter shifts closed on the day. Null if none was, if fewer than ${FEWEST_PEOPLE} clerks closed one, or if figures about fewer could be derived from it.`,
      resolve: (row) => row.shifts(),
    }),
    anomalies: t.field({
      type: [AnomaliesType],
      description: 'The anomalies detected on the day that concern the agency, in all currencies.',
      complexity: { field: 1, multiplier: 4 },
      resolve: async (row) => [...(await row.anomalies())],
    }),
  }),
});

addAgencyOf(CloseType, 'whose day it is');

const CloseConnection = defineConnection('DailyClose', CloseType, 'daily closes');

builder.objectFields(Oversight, (t) => ({
  dailyCloses: t.field({
    description: `The days of agencies up to today, each from its opening to its closing, by agency, currency and day; at most ${MOST_DAYS} days.`,
    ...connection(CloseConnection, {
      most: 1_000,
      price: 150,
      args: { ...figuresSpan, ...agencyListArg, ...currenciesArg },
    }),
    resolve: async (held, args, call) => {
      const within = holdSlice(held, args, { agency: 'agency', currency: 'currency' });
      // A close is of a day of the country, also under figures by UTC days.
      return listDailyCloses(call, await holdDays(call, { ...held, timeZone: 'country' }, within), args);
    },
  }),
}));
