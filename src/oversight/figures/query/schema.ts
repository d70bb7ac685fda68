import type { Call } from '../../../platform/call/call.ts';
import { AgencyType } from '../../../collection/catalogue/schema.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { requireWithin } from '../../../platform/access/owned.ts';
import { dataset } from '../../../graphql/files/rows.ts';
import { selectsField } from '../../../graphql/graph/edge.ts';
import { between } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { eachInTurn } from '../../../kernel/event-loop.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { MOST_GROUPS, TimeZoneEnum, DEFAULT_GROUPS, zoneArg } from '../../common/arguments.ts';
import { Oversight } from '../oversight.ts';
import type { TimeZone } from '../../common/span.ts';
import { type Asked, type FigurePage, ask } from './ask.ts';
import { addRest, total } from './derive.ts';
import { GROUP_OF_MEASURE, type GroupName } from './groups.ts';
import { BaseEnum, ComparedDaysInput, DimensionEnum, HavingInput, SliceInput, SpanInput } from './inputs.ts';
import { RestType, RowType, TotalType, orderArg } from './row-schema.ts';
import { checkLength } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

const PageInfoType = builder.objectRef<FigurePage>('FigurePageInfo').implement({
  description: 'Cursors of a page of groups.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'True if there are groups after this page.',
      resolve: ({ all, rows, cursors }) => cursors.begin + rows.length < all.length,
    }),
    hasPreviousPage: t.boolean({
      description: 'True if there are groups before this page.',
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
      timeZone: t.expose('timeZone', { type: TimeZoneEnum, description: 'The time zone that days are given in.' }),
    }),
  });

/** Most rows that are priced. */
const MOST_PRICED = 500;
const EACH = { complexity: { field: 1, multiplier: 1 } };

const AnswerType = builder.objectRef<FigurePage>('FigureAnswer').implement({
  description: 'The answer to a question: groups, and what they come to together.',
  fields: (t) => ({
    nodes: t.field({
      type: [RowType],
      description: 'The groups of the page.',
      ...EACH,
      resolve: ({ rows }) => eachInTurn(rows),
    }),
    totals: t.field({
      type: [TotalType],
      description: 'Everything that the question is about, a row for each currency.',
      ...EACH,
      resolve: async ({ answer }) => [...(await total(answer))],
    }),
    rest: t.field({
      type: [RestType],
      description: 'The groups that are not on this page, added up: a row for each currency.',
      ...EACH,
      resolve: ({ all, rows }) => addRest(all, new Set(rows.map(({ id }) => id))),
    }),
    totalCount: t.int({ description: 'The number of groups.', resolve: ({ all }) => all.length }),
    pageInfo: t.field({ type: PageInfoType, description: 'Cursors of the page.', resolve: (page) => page }),
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
      description: 'The dimensions to group by, at most 8. Default: none, one group for each currency.',
      ...shape({ maxItems: 20 }),
    }),
    span: t.field({ type: SpanInput, description: 'The days. Default: those of `oversight`, else the last 30.' }),
    slice: t.field({
      type: SliceInput,
      description: 'Slice that the figures are about, within that of `oversight`. Default: all of it.',
    }),
    ...zoneArg,
    having: t.field({
      type: [HavingInput],
      required: true,
      defaultValue: [],
      description: 'Conditions that groups have to satisfy, all of them.',
      ...shape({ maxItems: 10 }),
    }),
    orderBy: orderArg(),
    first: t.int({
      description: `The number of groups to return, 1 to 10,000. Default: ${DEFAULT_GROUPS.toLocaleString('en')}.`,
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

/** Most dimensions: with more, groups are single payments. REST, which is not priced, took more of both before. */
const MOST_DIMENSIONS = 8;

/** Groups without dimensions: one for each currency. */
const CURRENCIES = 5;

/** The price of the rows: each group of measures is charged for as it is read. */
function priceOf({ by, span, first, last }: Pick<Asked, 'by' | 'span' | 'first' | 'last'>, call: Pick<Call, 'now'>) {
  if (by.length > MOST_DIMENSIONS) throw refuseValue('by', say`must have at most ${MOST_DIMENSIONS} items`);
  checkLength(call, span?.days ?? {});
  return {
    field: 1,
    multiplier: Math.min(first ?? last ?? DEFAULT_GROUPS, by.length === 0 ? CURRENCIES : MOST_PRICED),
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
    resolve: (held, asked, call, info) => ask(call, asked, held, isSelectedIn(info)),
  }),
);

builder.objectField(AgencyType, 'figures', (t) =>
  t.field({
    type: AnswerType,
    description:
      'Figures of this agency, in groups: as `Oversight.figures`, with the agency in the slice. Scope `oversight.read`. Also for supervisors, finance officers, admins and the oversight role, of the agency or of all. Also for the agency itself, by a token with `payments.read`.',
    ...needs('agency.read', { alone: true }),
    args: figuresArgs(),
    complexity: priceOf,
    resolve: (agency, asked, call, info) => {
      requireWithin(call.viewer, agency.name);
      return ask(call, asked, { slice: { agency: [agency.name] } }, isSelectedIn(info));
    },
  }),
);

/**
 * Groups of figures that a question selects, or needs since a measure of theirs is compared. Below a key are records,
 * whose fields can have the names of groups.
 */
function isSelectedIn(info: Parameters<typeof selectsField>[0]): (group: GroupName) => boolean {
  return (group) =>
    selectsField(info, group, 'key') || (group === GROUP_OF_MEASURE.get('net') && selectsField(info, 'change', 'key'));
}
