import type { InputFieldMap, ObjectRef } from '@pothos/core';
import {
  MOST_COUNTED,
  MOST_SKIPPED,
  type Page,
  type PageArgs,
  type Sum,
  DEFAULT_ROWS,
} from '../../platform/reading/page.ts';
import { eachInTurn } from '../../kernel/event-loop.ts';
import { builder } from '../builder.ts';
import { between } from '../input/forms.ts';
import { shape } from '../input/shapes.ts';

/** An object type of the schema, by the shape of its values. */
type TypeOf<Shape> = ObjectRef<typeof builder.$inferSchemaTypes, Shape>;

const PageInfoType = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Information to aid in pagination, after the Relay specification of connections.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNext', { description: 'True if the list has rows after this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPrevious', { description: 'True if the list has rows before this page.' }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first row, for `before`; null on an empty page.',
      resolve: ({ cursors }) => cursors[0] ?? null,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last row, for `after`; null on an empty page.',
      resolve: ({ cursors }) => cursors.at(-1) ?? null,
    }),
  }),
});

const CurrencyTotalType = builder.objectRef<Sum>('CurrencyTotal').implement({
  description: 'The sum of the amounts of a list in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency, as an ISO 4217 code.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The sum, in this currency.' }),
  }),
});

/** A number as descriptions write it: `10,000`. */
const written = (number: number) => number.toLocaleString('en');

/** Cost of a count in addition to each row of its page: it reads all the rows that it counts. */
const COUNT_COMPLEXITY = 2;

/** Each row is priced by the list that it is of. */
const PRICED_BY_LIST = { complexity: { field: 1, multiplier: 1 } };

/**
 * Defines the connection of a type and its edge: `AssessmentConnection` and `AssessmentEdge` of `Assessment`. With
 * `sums`, what the amounts of its rows are. With `inTurns`, other work has its turn between rows of a long page: for rows
 * whose fields load nothing.
 */
export function defineConnection<Row extends object>(
  name: string,
  type: TypeOf<Row>,
  rows: string,
  { sums, inTurns = false }: { readonly sums?: string; readonly inTurns?: boolean } = {},
): TypeOf<Page<Row>> {
  // Pothos cannot infer a field's type from a parameter of this function: inside it, a row is some object.
  const node = type as TypeOf<object>;
  const Edge = builder.objectRef<{ readonly cursor: string; readonly row: object }>(`${name}Edge`).implement({
    description: `A row of a list of ${rows}, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'The place of the row in the list, for `after` or `before`.' }),
      node: t.expose('row', { type: node, description: 'The row at this place of the list.' }),
    }),
  });
  const Connection = builder.objectRef<Page<object>>(`${name}Connection`).implement({
    description: `A page of a list of ${rows}.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The rows of the page with their cursors.',
        ...PRICED_BY_LIST,
        resolve: (page) => page.rows.map((row, index) => ({ row, cursor: page.cursors[index]! })),
      }),
      nodes: t.field({
        type: [node],
        description: 'The rows of the page.',
        ...PRICED_BY_LIST,
        resolve: ({ rows: found }) => (inTurns ? eachInTurn(found) : [...found]),
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: 'Information to aid in pagination.',
        resolve: (page) => page,
      }),
      totalCount: t.int({
        description: `The number of rows of the whole list, with its filters. Exact up to ${written(MOST_COUNTED)}, and never more: see \`totalCountIsLowerBound\`.`,
        complexity: COUNT_COMPLEXITY,
        resolve: async ({ count }) => Math.min(await count(), MOST_COUNTED),
      }),
      totalCountIsLowerBound: t.boolean({
        description: `True if the list has more than ${written(MOST_COUNTED)} rows, which \`totalCount\` does not count.`,
        complexity: COUNT_COMPLEXITY,
        resolve: async ({ count }) => (await count()) > MOST_COUNTED,
      }),
      ...(sums !== undefined && {
        totals: t.field({
          type: [CurrencyTotalType],
          nullable: true,
          description: `The sum of ${sums} of the whole list, with its filters, by currency. Null if the list has more than ${written(MOST_COUNTED)} rows: filter it.`,
          complexity: COUNT_COMPLEXITY,
          resolve: async ({ sums: add }) => (await add?.()) ?? null,
        }),
      }),
    }),
  });
  return Connection as TypeOf<Page<Row>>;
}

/**
 * Cost of a filter that no index serves: it may read the whole list to find a page of it. Few of them fit into one
 * operation.
 */
const SEARCH_COMPLEXITY = 5_000;

/** Rows that are skipped are read, too, though nothing is made of them. */
const SKIPPED_FOR_A_POINT = 50;

interface Paging<Args> {
  /** The most rows of a page. */
  readonly most: number;
  /** Rows of a page that is asked for without a number. */
  readonly defaultSize?: number;
  /** Cost of the list itself, without its rows. */
  readonly price?: number;
  /** Most rows that are priced, if the number asked for is more than such a list has as a rule. */
  readonly mostPriced?: number;
  /** The arguments of the field besides those that page through it. */
  readonly args: Args;
  /** Those of them that no index serves on a list that may be long. */
  readonly searched?: readonly (keyof Args)[];
}

/**
 * Options of a field that is a connection: its type, the arguments that page through it besides its own, and its price
 * by the rows asked for. Its `resolve` reads the page that they ask for.
 */
export function connection<Row, Args extends InputFieldMap>(
  type: TypeOf<Page<Row>>,
  { most, defaultSize = DEFAULT_ROWS, price = 1, mostPriced = most, args, searched = [] }: Paging<Args>,
) {
  return {
    type,
    args: { ...args, ...pagingArgs(most, defaultSize) },
    complexity: (asked: Pick<PageArgs, 'first' | 'last' | 'offset'> & { readonly [Name in keyof Args]?: unknown }) => ({
      field:
        price +
        Math.ceil((asked.offset ?? 0) / SKIPPED_FOR_A_POINT) +
        (searched.some((name) => asked[name] != null) ? SEARCH_COMPLEXITY : 0),
      multiplier: Math.min(asked.first ?? asked.last ?? defaultSize, mostPriced),
    }),
  };
}

function pagingArgs(most: number, defaultSize: number) {
  return builder.args((t) => ({
    first: t.int({
      description: `The number of rows to return from the start of the list, or after a cursor, 1 to ${written(most)}. Default: ${written(defaultSize)}.`,
      ...between(1, most),
    }),
    after: t.string({ description: 'Return the rows after this cursor. Faster than skipping rows on long lists.' }),
    last: t.int({
      description: `The number of rows to return from the end of the list, or before a cursor, 1 to ${written(most)}. Not with \`first\`.`,
      ...between(1, most),
    }),
    before: t.string({ description: 'Return the rows before this cursor.' }),
    offset: t.int({
      description: `The number of rows to skip, at most ${written(MOST_SKIPPED)}; use \`after\` beyond. ${SKIPPED_FOR_A_POINT} cost a point.`,
      ...shape({ minimum: 0 }),
    }),
  }));
}
