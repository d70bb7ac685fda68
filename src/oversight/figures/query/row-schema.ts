import { builder } from '../../../graphql/builder.ts';
import { between, currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import type { Call } from '../../../platform/call/call.ts';
import { closeLocalSpan } from '../../common/span.ts';
import { type Hidden, type Row, changeOf, currencyOf, differenceOf } from './answer.ts';
import { type Point, compare, listPoints, listWithin, shareOf } from './derive.ts';
import type { Every } from './dimensions.ts';
import { GROUP_NAMES, type GroupName, groupOf } from './groups.ts';
import {
  BaseEnum,
  DimensionEnum,
  EveryEnum,
  GroupEnum,
  HiddenEnum,
  MeasureEnum,
  OrderInput,
  checkOrder,
} from './inputs.ts';
import { KeyType } from './key-schema.ts';
import type { Columns } from './measure-group.ts';
import type { Base } from './span.ts';

/** Figures of one group of measures for one row. */
interface Figures {
  readonly row: Row;
  readonly columns: Columns;
}

const typenameOf = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}Figures`;

/** The type of each group of measures. */
export const FIGURES = new Map(
  GROUP_NAMES.map((name) => {
    const { description, measures } = groupOf(name);
    const type = builder.objectRef<Figures>(typenameOf(name)).implement({
      description,
      fields: (t) =>
        Object.fromEntries(
          Object.entries(measures).map(([measure, { type: scalar, description: about, nullable = false, of }]) => [
            measure,
            t.field({
              type: scalar,
              nullable,
              description: about,
              // The value of a measure fits its type: the two are declared together.
              resolve: ({ row, columns }) => of(columns, currencyOf(row)) as never,
            }),
          ]),
        ),
    });
    return [name, type] as const;
  }),
);

builder.objectField(FIGURES.get('revenue')!, 'share', (t) =>
  t.float({
    nullable: true,
    description:
      'The share of net revenue in its currency, 0 to 1: of all groups, or of those that have the same of some dimensions. Null if that is zero.',
    args: {
      within: t.arg({
        type: [DimensionEnum],
        required: true,
        defaultValue: [],
        description: 'The dimensions, of those grouped by, to tell shares within. Default: none.',
        ...shape({ maxItems: 8 }),
      }),
    },
    resolve: ({ row }, { within }) => shareOf(row, within),
  }),
);

/** Figures of a group of measures for a row; null if they cannot be disclosed. */
export async function figuresOf(row: Row, name: GroupName): Promise<Figures | null> {
  const columns = (await row.answer.columnsOf(name))(row);
  return columns === null || typeof columns === 'string' ? null : { row, columns };
}

const HiddenType = builder
  .objectRef<{ readonly figures: GroupName; readonly reason: Hidden }>('HiddenFigures')
  .implement({
    description: 'Figures of a row that are null, and why.',
    fields: (t) => ({
      figures: t.expose('figures', { type: GroupEnum, description: 'Group of figures that are null.' }),
      reason: t.expose('reason', { type: HiddenEnum, description: 'Reason why these figures are null.' }),
    }),
  });

const RowInterface = builder.interfaceRef<Row>('Figures').implement({
  description:
    'Figures, in groups that are computed where they are selected. A group, or a measure of it, is null where `hidden` says why.',
  fields: (t) => ({
    ...Object.fromEntries(
      GROUP_NAMES.map((name) => [
        name,
        t.field({
          type: FIGURES.get(name)!,
          nullable: true,
          description: groupOf(name).description,
          resolve: (row) => figuresOf(row, name),
        }),
      ]),
    ),
    hidden: t.field({
      type: [HiddenType],
      description: 'The selected figures that are null, and why.',
      complexity: { field: 1, multiplier: 2 },
      resolve: async (row) => (await row.answer.hiddenOf())(row),
    }),
  }),
});

const PointType = builder.objectRef<Point>('FigurePoint').implement({
  description: 'The figures of one period of a series.',
  interfaces: [RowInterface],
  fields: (t) => ({
    at: t.expose('at', { type: 'Date', description: 'The first day of the period.' }),
    complete: t.exposeBoolean('complete', {
      description:
        'True if the whole period lies in the span and is over. The figures of others will still change, or are of a part.',
    }),
  }),
});

/** The same row in another span, and in the span that it is compared with. */
interface Compared extends Row {
  readonly current: Row;
}

const seriesField = {
  type: [PointType] as [typeof PointType],
  description: 'The figures period by period, with a point for each period that the span touches.',
  args: builder.args((t) => ({
    every: t.field({ type: EveryEnum, required: true, description: 'Interval between the points of the series.' }),
  })),
  complexity: { field: 2, multiplier: 12 },
  resolve: async (row: Row, { every }: { readonly every: Every }, call: Call): Promise<Point[]> => {
    const { to: today } = await closeLocalSpan(call, { timeZone: row.answer.question.timeZone });
    return listPoints(row, every, today);
  },
};

const measureArg = () =>
  builder.args((t) => ({
    of: t.field({
      type: MeasureEnum,
      required: true,
      defaultValue: 'net',
      description: 'The measure. Default: net revenue.',
    }),
  }));

/** A measure of a row in the span that is asked about, and in the other. */
const both = (row: Compared, measure: string) =>
  Promise.all([row.current.answer.measure(row.current, measure), row.answer.measure(row, measure)]);

const ComparedType = builder.objectRef<Compared>('ComparedFigures').implement({
  description:
    'The figures of the same group in another span, and how far those of the span asked for differ from them.',
  interfaces: [RowInterface],
  fields: (t) => ({
    difference: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Increase over the compared value; negative where it fell, null where either is null.',
      args: measureArg(),
      resolve: async (row, { of }) => differenceOf(...(await both(row, of))),
    }),
    change: t.float({
      nullable: true,
      description: 'The change as a share of what was; null where that was zero, or either is null.',
      args: measureArg(),
      resolve: async (row, { of }) => changeOf(...(await both(row, of))),
    }),
    series: t.field(seriesField),
  }),
});

const comparedField = {
  type: ComparedType,
  description: 'The same in another span.',
  args: builder.args((t) => ({
    to: t.field({
      type: BaseEnum,
      required: true,
      defaultValue: 'before',
      description: 'Span to compare with. Default: the span before.',
    }),
  })),
  complexity: 2,
  resolve: (row: Row, { to }: { readonly to: Base }): Compared => ({ ...compare(row, to), current: row }),
};

export const orderArg = () =>
  builder.args((t) => ({
    orderBy: t.field({
      type: [OrderInput],
      required: true,
      defaultValue: [],
      description: 'Keys to order by, in this order. Default: the values of the groups.',
      ...shape({ maxItems: 5 }),
    }),
  })).orderBy;

const currencyField = {
  type: 'String' as const,
  nullable: true as const,
  description: 'The currency (ISO 4217); null where no figure is given by currency.',
  ...currencyCode,
  resolve: currencyOf,
};

export const TotalType = builder.objectRef<Row>('FigureTotal').implement({
  description: 'The figures of everything that a question is about, in one currency.',
  interfaces: [RowInterface],
  fields: (t) => ({
    currency: t.field(currencyField),
    compared: t.field(comparedField),
    series: t.field(seriesField),
  }),
});

export const RestType = builder.objectRef<Row>('FigureRest').implement({
  description: 'The groups that are not on a page, added up in one currency. Figures that cannot be added are null.',
  interfaces: [RowInterface],
  fields: (t) => ({ currency: t.field(currencyField) }),
});

const rowRef = builder.objectRef<Row>('FigureRow');
export const RowType = rowRef.implement({
  description: 'The figures of one group.',
  interfaces: [RowInterface],
  fields: (t) => ({
    key: t.expose('key', { type: KeyType, description: 'Dimensions of the row.' }),
    compared: t.field(comparedField),
    series: t.field(seriesField),
    rows: t.field({
      type: [rowRef],
      description: 'Groups within the group, such as the three largest services of each agency.',
      args: {
        by: t.arg({
          type: [DimensionEnum],
          required: true,
          description: 'Further dimensions to group by.',
          ...shape({ minItems: 1, maxItems: 8 }),
        }),
        orderBy: orderArg(),
        first: t.arg.int({
          required: true,
          defaultValue: 10,
          description: 'The number of groups of each, 1 to 100. Default: 10.',
          ...between(1, 100),
        }),
      },
      complexity: ({ first }) => ({ field: 2, multiplier: first ?? 10 }),
      resolve: async (row, { by, orderBy, first }) => {
        const order = checkOrder(orderBy, [...row.answer.keys, ...by]);
        return [...(await listWithin(row, by, order, first))];
      },
    }),
  }),
});
