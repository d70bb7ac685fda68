import type { InputRef } from '@pothos/core';
import type { Call } from '../../../platform/call/call.ts';
import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import {
  agencyCode,
  anyOf,
  countryCode,
  currencyCode,
  docname,
  freeText,
  integratorCode,
  providerName,
} from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { LONGEST_LABEL } from '../../../kernel/text/free-text.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../../../collection/anomalies/schema.ts';
import { ChannelEnum, PaymentProofEnum } from '../../../collection/payments/schema/intent-schema.ts';
import { StationEnum } from '../../common/stations.ts';
import { AgeBandEnum } from '../../common/ages.ts';
import { type Named, isNoun, requireCodes } from '../../common/codes.ts';
import { DIMENSIONS, type DimensionName, type Every } from './dimensions.ts';
import { GROUPS, GROUP_NAMES, GROUP_OF_MEASURE, type GroupName } from './groups.ts';
import { type Direction, HIDDEN, type FigureOrder, type Having, ORDERED_BY } from './answer.ts';
import { FailureCauseEnum, SourceEnum } from './key-schema.ts';
import { SLICE_NAMES, type Slice } from './slice.ts';
import { type AskedSpan, BASES, PRESETS } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

const describe = (values: Readonly<Record<string, { readonly description: string }>>) =>
  Object.fromEntries(Object.entries(values).map(([name, { description }]) => [name, { description }]));

export const DimensionEnum = builder.enumType('FigureDimension', {
  description: 'A dimension by which figures are grouped. Amounts in different currencies are never added.',
  values: describe(DIMENSIONS) as Record<DimensionName, { description: string }>,
});

export const MeasureEnum = builder.enumType('FigureMeasure', {
  description: 'A measure, by which groups are ordered and chosen.',
  values: Object.assign({}, ...GROUP_NAMES.map((name) => describe(GROUPS[name].measures))) as Record<
    string,
    { description: string }
  >,
});

export const GroupEnum = builder.enumType('FigureGroup', {
  description: 'Measures that are computed together.',
  values: describe(GROUPS) as Record<GroupName, { description: string }>,
});

const PERIODS = {
  day: 'A point a day.',
  week: 'A point an ISO week, from Monday.',
  month: 'A point a month.',
  quarter: 'A point a calendar quarter.',
  year: 'A point a calendar year.',
  fiscal_year: 'A point a fiscal year.',
} satisfies Record<Every, string>;
export const EveryEnum = defineEnum<Every>('FigurePeriod', 'Interval between the points of a series.', PERIODS);
export const BaseEnum = defineEnum('FigureBase', 'Span that another is compared with.', BASES);
const OrderedByEnum = defineEnum('FigureOrderedBy', 'Form of a measure that groups are ordered by.', ORDERED_BY);
export const HiddenEnum = defineEnum('HiddenReason', 'Reason why figures are null.', HIDDEN);
export const PresetEnum = defineEnum('SpanPreset', 'A span of days that is named.', PRESETS);
const DirectionEnum = defineEnum<Direction>('SortDirection', 'A direction to sort in.', {
  asc: 'The smallest first. Null comes last.',
  asc_nulls_first: 'Null first, then the smallest.',
  desc: 'The largest first. Null comes last.',
});

export const FigureDaysInput = builder.inputType('FigureDaysInput', {
  description: 'Days, both included. In either place a date-time means the UTC day that it lies in.',
  fields: (t) => ({
    fromDate: t.field({ type: 'Date', description: 'The first day. Default: 29 days before the last.' }),
    toDate: t.field({ type: 'Date', description: 'The last day. Default: today.' }),
  }),
});

export const ComparedDaysInput = builder.inputType('ComparedDaysInput', {
  description: 'Days to compare with, both included.',
  fields: (t) => ({
    fromDate: t.field({ type: 'Date', required: true, description: 'The first day to compare with.' }),
    toDate: t.field({ type: 'Date', required: true, description: 'The last day to compare with.' }),
  }),
});

export const SpanInput: InputRef<AskedSpan> = builder.inputType('SpanInput', {
  description: 'The days that figures are about: a span that is named, or days.',
  isOneOf: true,
  fields: (t) => ({
    preset: t.field({ type: PresetEnum, description: 'A span that is named.' }),
    days: t.field({ type: FigureDaysInput, description: 'Any days, both ends included.' }),
  }),
});

const some = shape({ minItems: 1, maxItems: 100 });
const sliceRef = builder.inputRef<Slice>('SliceInput');
export const SliceInput = sliceRef.implement({
  description:
    'Records that figures are about: for each member that is given, those with any of its values. A code or name that does not exist is refused.',
  fields: (t) => ({
    agency: t.idList({ description: 'Agencies, by their codes.', ...anyOf(agencyCode) }),
    sector: t.stringList({ description: 'Services of these sectors.', ...anyOf(freeText(LONGEST_LABEL)) }),
    family: t.stringList({ description: 'Services of these families.', ...anyOf(freeText(LONGEST_LABEL)) }),
    service: t.idList({ description: 'Services, by their docnames.', ...anyOf(docname('service')) }),
    channel: t.field({
      type: [ChannelEnum],
      description: 'Payments through these channels.',
      ...some,
    }),
    station: t.field({
      type: [StationEnum],
      description: 'Place of the collection.',
      ...some,
    }),
    counter: t.stringList({
      description: 'Counters. Each is the code of its agency, a space, and its label.',
      ...anyOf(freeText(2 * LONGEST_LABEL)),
    }),
    country: t.idList({ description: 'Countries of agencies (ISO 3166-1).', ...anyOf(countryCode) }),
    region: t.stringList({ description: 'Agencies of these regions.', ...anyOf(freeText(LONGEST_LABEL)) }),
    district: t.stringList({ description: 'Agencies of these districts.', ...anyOf(freeText(LONGEST_LABEL)) }),
    integrator: t.idList({
      description: 'Integrators, by their codes. Requires the scope `oversight.audit`.',
      ...anyOf(integratorCode),
    }),
    currency: t.idList({ description: 'Currencies, by their codes (ISO 4217).', ...anyOf(currencyCode) }),
    proof: t.field({
      type: [PaymentProofEnum],
      description: 'Payments that were confirmed by any of these.',
      ...some,
    }),
    provider: t.idList({ description: 'Statements of these payment providers.', ...anyOf(providerName) }),
    anomaly: t.field({ type: [AnomalyKindEnum], description: 'Anomalies of these kinds.', ...some }),
    severity: t.field({ type: [SeverityEnum], description: 'Anomalies of these severities.', ...some }),
    status: t.field({ type: [AnomalyStatusEnum], description: 'Anomalies in these statuses.', ...some }),
    age: t.field({
      type: [AgeBandEnum],
      description: 'Anomalies that were detected, and what is unpaid that was assessed, so long ago.',
      ...some,
    }),
    cause: t.field({ type: [FailureCauseEnum], description: 'Attempts to pay that failed for these causes.', ...some }),
    source: t.field({ type: [SourceEnum], description: 'People whose records come from these sources.', ...some }),
    not: t.field({
      type: sliceRef,
      description: 'Records that are left out: those that all of its members hold for. At most 3 deep.',
    }),
  }),
});

export const OrderInput = builder.inputRef<FigureOrder>('FigureOrderInput').implement({
  description:
    'Key that groups are ordered by: either a measure or a dimension that they are grouped by. With neither, by their values.',
  fields: (t) => ({
    measure: t.field({ type: MeasureEnum, description: 'A measure of the groups.' }),
    dimension: t.field({ type: DimensionEnum, description: 'A dimension that the groups have.' }),
    direction: t.field({
      type: DirectionEnum,
      required: true,
      defaultValue: 'desc',
      description: 'The direction. Default: the largest first.',
    }),
    by: t.field({
      type: OrderedByEnum,
      required: true,
      defaultValue: 'value',
      description: 'Form of the measure to order by. Default: its value.',
    }),
    from: t.field({
      type: BaseEnum,
      required: true,
      defaultValue: 'before',
      description: 'The span that a difference or change is from. Default: the one before.',
    }),
  }),
});

export const HavingInput = builder.inputRef<Having>('FigureHavingInput').implement({
  description: 'A condition on a measure of groups. Groups of which it is null are left out.',
  fields: (t) => ({
    measure: t.field({ type: MeasureEnum, required: true, description: 'The measure that is bounded.' }),
    gte: t.field({ type: 'Decimal', description: 'At least so much.' }),
    lte: t.field({ type: 'Decimal', description: 'At most so much.' }),
  }),
});

const MOST_NESTED = 3;
/** Members of a slice that name what has to exist. */
const CODES = SLICE_NAMES.filter(isNoun);

/** Refuses a slice that is nested too deep or names what does not exist. */
export async function checkSlice(call: Call, slice: Slice): Promise<void> {
  await requireCodes(call, [...listNamed(slice, 'slice', 0)]);
}

function* listNamed(slice: Slice, path: string, depth: number): Generator<Named> {
  if (depth > MOST_NESTED) throw refuseValue(path, say`must not be nested more than ${MOST_NESTED} deep`);
  for (const noun of CODES) {
    for (const [index, code] of (slice[noun] ?? []).entries()) yield { noun, code, path: `${path}.${noun}[${index}]` };
  }
  if (slice.not) yield* listNamed(slice.not, `${path}.not`, depth + 1);
}

/** The orders that name something; refuses one that names both of what it can name, or what groups do not have. */
export function checkOrder(orderBy: readonly FigureOrder[], keys: readonly DimensionName[]): FigureOrder[] {
  return orderBy.filter(({ measure, dimension }, index) => {
    if (measure && dimension) throw refuseValue(`orderBy[${index}]`, 'give either a measure or a dimension');
    if (dimension && !keys.includes(dimension))
      throw refuseValue(`orderBy[${index}].dimension`, say`must be one that groups have: not ${dimension}`);
    return measure || dimension;
  });
}

/** The measure groups that are selected of rows, or needed to order and choose them. */
export function listShown(
  isSelected: (group: GroupName) => boolean,
  { having, orderBy }: { readonly having: readonly Having[]; readonly orderBy: readonly FigureOrder[] },
): readonly GroupName[] {
  const needed = new Set(
    [...having, ...orderBy].flatMap(({ measure }) => (measure ? [GROUP_OF_MEASURE.get(measure)!] : [])),
  );
  const shown = GROUP_NAMES.filter((group) => needed.has(group) || isSelected(group));
  // For keys alone, those count for which money was collected.
  return shown.length > 0 ? shown : ['revenue'];
}
