import { MdaType } from '../../../collection/catalogue/schema.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { dataset } from '../../../graphql/files/rows.ts';
import { selectsField } from '../../../graphql/graph/edge.ts';
import { between, currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { TimeZoneEnum, priceOfSpan } from '../../root/arguments.ts';
import { Oversight } from '../../root/oversight.ts';
import { type TimeZone, closeLocalSpan } from '../span.ts';
import { type Hidden, MOST_GROUPS, type Row, changeOf, currencyOf, differenceOf } from './answer.ts';
import { type Asked, type FigurePage, PRICE, PRICE_A_DAY, USUAL_ROWS, ask } from './ask.ts';
import { type Point, addRest, compare, listPoints, listWithin, shareOf, total } from './derive.ts';
import type { Every } from './dimensions.ts';
import { GROUP_NAMES, GROUP_OF_MEASURE, type GroupName, groupOf } from './groups.ts';
import {
  BaseEnum,
  ComparedDaysInput,
  DimensionEnum,
  EveryEnum,
  GroupEnum,
  HavingInput,
  HiddenEnum,
  MeasureEnum,
  OrderInput,
  SliceInput,
  SpanInput,
  checkOrder,
} from './inputs.ts';
import type { Columns } from './measure-group.ts';
import type { Base } from './span.ts';
import { KeyType } from './key-schema.ts';
import type { Call } from '../../../platform/call/call.ts';

/** What one group of measures is of one row. */
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
          Object.entries(measures).map(([measure, { type: scalar, description: told, nullable = false, of }]) => [
            measure,
            t.field({
              type: scalar,
              nullable,
              description: told,
              // What a measure is fits its type: the two are declared together.
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

/** What a group of measures is of a row; null where it cannot be told. */
export async function figuresOf(row: Row, name: GroupName): Promise<Figures | null> {
  const columns = await row.answer.columns(row, name);
  return columns === null || typeof columns === 'string' ? null : { row, columns };
}

const HiddenType = builder
  .objectRef<{ readonly figures: GroupName; readonly reason: Hidden }>('HiddenFigures')
  .implement({
    description: 'Figures of a row that are null, and why.',
    fields: (t) => ({
      figures: t.expose('figures', { type: GroupEnum, description: 'Which figures are null.' }),
      reason: t.expose('reason', { type: HiddenEnum, description: 'Why these figures are null.' }),
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
      resolve: (row) => row.answer.hidden(row),
    }),
  }),
});

const nullable = { nullable: true } as const;

const PointType = builder.objectRef<Point>('FigurePoint').implement({
  description: 'The figures of one period of a series.',
  interfaces: [RowInterface],
  fields: (t) => ({
    at: t.expose('at', { type: 'Date', description: 'The first day of the period.' }),
    complete: t.exposeBoolean('complete', {
      description:
        'Whether the whole period lies in the span and is over. The figures of others will still change, or are of a part.',
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
    every: t.field({ type: EveryEnum, required: true, description: 'How far apart points are.' }),
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
      ...nullable,
      description: 'How much more it is now; negative where it fell, null where either cannot be told.',
      args: measureArg(),
      resolve: async (row, { of }) => differenceOf(...(await both(row, of))),
    }),
    change: t.float({
      ...nullable,
      description: 'The change as a share of what was; null where that was zero, or either cannot be told.',
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
      description: 'What to compare with. Default: the span before.',
    }),
  })),
  complexity: 2,
  resolve: (row: Row, { to }: { readonly to: Base }): Compared => ({ ...compare(row, to), current: row }),
};

const orderArg = () =>
  builder.args((t) => ({
    orderBy: t.field({
      type: [OrderInput],
      required: true,
      defaultValue: [],
      description: 'What to order by, in this order. Default: the values of the groups.',
      ...shape({ maxItems: 5 }),
    }),
  })).orderBy;

const currencyField = {
  type: 'String' as const,
  nullable: true as const,
  description: 'The currency (ISO 4217); null where no figure is told by currency.',
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

const RestType = builder.objectRef<Row>('FigureRest').implement({
  description: 'The groups that are not on a page, added up in one currency. Figures that cannot be added are null.',
  interfaces: [RowInterface],
  fields: (t) => ({ currency: t.field(currencyField) }),
});

const rowRef = builder.objectRef<Row>('FigureRow');
export const RowType = rowRef.implement({
  description: 'The figures of one group.',
  interfaces: [RowInterface],
  fields: (t) => ({
    key: t.field({ type: KeyType, description: 'What the row is about.', resolve: ({ key }) => key }),
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

const PageInfoType = builder.objectRef<FigurePage>('FigurePageInfo').implement({
  description: 'Where a page of groups ends.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether there are groups after this page.',
      resolve: ({ all, rows, cursors }) => cursors.begin + rows.length < all.length,
    }),
    hasPreviousPage: t.boolean({
      description: 'Whether there are groups before this page.',
      resolve: ({ cursors }) => cursors.begin > 0,
    }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first group, for `before` of the same question; null on an empty page.',
      resolve: ({ rows, cursors }) => (rows.length > 0 ? cursors.of(cursors.begin + 1) : null),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last group, for `after` of the same question; null on an empty page.',
      resolve: ({ rows, cursors }) => (rows.length > 0 ? cursors.of(cursors.begin + rows.length) : null),
    }),
  }),
});

const SpanType = builder
  .objectRef<{ readonly from: Date; readonly to: Date; readonly timeZone: TimeZone }>('FigureSpan')
  .implement({
    description: 'The days that figures are about.',
    fields: (t) => ({
      fromDate: t.expose('from', { type: 'Date', description: 'The first day of the span.' }),
      toDate: t.expose('to', { type: 'Date', description: 'The last day of the span, included.' }),
      timeZone: t.expose('timeZone', { type: TimeZoneEnum, description: 'The time zone that days are told in.' }),
    }),
  });

/** As many rows as are priced. */
const MOST_PRICED = 500;
const EACH = { complexity: { field: 1, multiplier: 1 } };

const AnswerType = builder.objectRef<FigurePage>('FigureAnswer').implement({
  description: 'The answer to a question: groups, and what they come to together.',
  fields: (t) => ({
    nodes: t.field({
      type: [RowType],
      description: 'The groups of the page.',
      ...EACH,
      resolve: ({ rows }) => [...rows],
    }),
    totals: t.field({
      type: [TotalType],
      description: 'Everything that the question is about, a row for each currency.',
      complexity: { field: PRICE, multiplier: 1 },
      resolve: async ({ answer }) => [...(await total(answer))],
    }),
    rest: t.field({
      type: [RestType],
      description: 'The groups that are not on this page, added up: a row for each currency.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ all, rows }) => addRest(all, new Set(rows.map(({ id }) => id))),
    }),
    totalCount: t.int({ description: 'The number of groups.', resolve: ({ all }) => all.length }),
    pageInfo: t.field({ type: PageInfoType, description: 'Where the page ends.', resolve: (page) => page }),
    span: t.field({
      type: SpanType,
      description: 'The days that the question is about.',
      resolve: ({ answer }) => answer.question,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'All that was recorded until this moment is part of the figures.',
      resolve: (_page, _args, call) => call.analytics.asOf(),
    }),
  }),
});

const figuresArgs = () =>
  builder.args((t) => ({
    by: t.field({
      type: [DimensionEnum],
      required: true,
      defaultValue: [],
      description:
        'The dimensions to group by. More than 8 cost more than an operation is granted. Default: none, one group for each currency.',
      ...shape({ maxItems: 20 }),
    }),
    span: t.field({ type: SpanInput, description: 'The days. Default: the last 30.' }),
    slice: t.field({ type: SliceInput, description: 'Which part of everything. Default: all of it.' }),
    timeZone: t.field({
      type: TimeZoneEnum,
      required: true,
      defaultValue: 'country',
      description: "The time zone of days and hours: that of each agency's country, or UTC.",
    }),
    having: t.field({
      type: [HavingInput],
      required: true,
      defaultValue: [],
      description: 'Conditions that groups have to satisfy, all of them.',
      ...shape({ maxItems: 10 }),
    }),
    orderBy: orderArg(),
    first: t.int({
      description: `The number of groups to return, 1 to 10,000. Default: ${USUAL_ROWS.toLocaleString('en')}.`,
      ...between(1, 10_000),
    }),
    after: t.string({ description: 'Return the groups after this cursor, of the same question.' }),
    last: t.int({
      description: 'Return so many of the last groups, 1 to 10,000. Not with `first`.',
      ...between(1, 10_000),
    }),
    before: t.string({ description: 'Return the groups before this cursor, of the same question.' }),
    including: t.field({
      type: [BaseEnum],
      required: true,
      defaultValue: [],
      description:
        'Spans to compare with whose groups are answered too, so that those are there which have nothing in this span.',
      ...shape({ maxItems: 2 }),
    }),
    comparedDays: t.field({
      type: ComparedDaysInput,
      description: 'The days that `before` means. Default: as many days as the span has, just before it.',
    }),
  }));

/** Who groups by more reads groups of single payments. */
const MOST_DIMENSIONS = 8;
/** More than any operation is granted. */
const TOO_MUCH = 1_000_000;

/** As many groups as there are of everything: one for each currency. */
const CURRENCIES = 5;

function priceOf({
  by,
  span,
  first,
  last,
  including = [],
}: Pick<Asked, 'by' | 'span' | 'first' | 'last' | 'including'>) {
  if (by.length > MOST_DIMENSIONS) return { field: TOO_MUCH, multiplier: 1 };
  const price = span?.preset ? priceOfSpan({}, 10 * PRICE, 0) : priceOfSpan(span?.days ?? {}, PRICE, PRICE_A_DAY);
  return {
    field: (1 + including.length) * price,
    multiplier: Math.min(first ?? last ?? USUAL_ROWS, by.length === 0 ? CURRENCIES : MOST_PRICED),
  };
}

builder.objectField(Oversight, 'figures', (t) =>
  t.field({
    type: AnswerType,
    description:
      'Figures in groups, by any combination of dimensions, of any part of everything. Exact, including what was recorded just before. A group of figures that a dimension does not have is null, and says why.',
    args: figuresArgs(),
    complexity: priceOf,
    ...dataset(MOST_GROUPS),
    resolve: (_root, asked, call, info) =>
      ask(call, asked, asked.slice ?? {}, (group) => selectsField(info, group) || selectsMeasure(info, group)),
  }),
);

builder.objectField(MdaType, 'figures', (t) =>
  t.field({
    type: AnswerType,
    description:
      'Figures of this agency, in groups: as `Oversight.figures`, with the agency in the slice. Scope `oversight.read`.',
    ...needs('oversight.read', { alone: true }),
    args: figuresArgs(),
    complexity: priceOf,
    resolve: (agency, asked, call, info) =>
      ask(
        call,
        asked,
        { ...asked.slice, agency: [agency.name] },
        (group) => selectsField(info, group) || selectsMeasure(info, group),
      ),
  }),
);

/** Whether a measure of a group is compared, which needs the group's figures. */
function selectsMeasure(info: Parameters<typeof selectsField>[0], group: GroupName): boolean {
  return group === GROUP_OF_MEASURE.get('net') && selectsField(info, 'change');
}
