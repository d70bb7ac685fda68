import { builder } from '../../graphql/builder.ts';
import { agencyCode, anyOf, currencyCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { codeOf } from './codes.ts';
import type { TimeZone } from './span.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';

/** The arguments that fields of `Oversight` have in common. */

/** Days without which those are meant that `oversight` holds. */
const spanArgs = (first: string, last: string) => ({
  fromDate: builder.args((t) => ({
    fromDate: t.field({ type: 'Date', description: `The first day. Default: ${first}.` }),
  })).fromDate,
  toDate: builder.args((t) => ({ toDate: t.field({ type: 'Date', description: `The last day. Default: ${last}.` }) }))
    .toDate,
});
/** Span of lists, which are complete unless something else is asked for. */
export const listSpan = spanArgs('no limit', 'no limit');
/** Span of all figures alike. */
export const figuresSpan = spanArgs('29 days before the last, for a period of 30 days', 'today');
export const TimeZoneEnum = builder.enumType('OversightTimeZone', {
  description: 'Time zone of days, weeks, months and years.',
  values: {
    country: { description: "The time zone of each agency's country, as its country profile says." },
    UTC: { description: 'The days of UTC, everywhere alike.' },
  } satisfies Record<TimeZone, object>,
});
/** Time zone of exact figures. Those about people know UTC months alone: calendars differ by few people. */
export const zoneArg = {
  timeZone: builder.args((t) => ({
    timeZone: t.field({
      type: TimeZoneEnum,
      description:
        "Time zone of days, weeks, months and years: that of the agency's country, or UTC. Default: that of `oversight`, which is the country's.",
    }),
  })).timeZone,
};
export const currenciesArg = {
  currency: builder.args((t) => ({
    currency: t.idList({ description: 'Filter by currencies (ISO 4217): any of them.', ...anyOf(currencyCode) }),
  })).currency,
};
export const channelsArg = {
  channel: builder.args((t) => ({
    channel: t.field({
      type: [ChannelEnum],
      description: 'Filter by payment channels: any of them.',
      ...shape({ minItems: 1, maxItems: 100 }),
    }),
  })).channel,
};
/** Argument of figures: any of several agencies. */
export const agencyListArg = {
  agency: builder.args((t) => ({
    agency: t.idList({ description: 'Filter by agency codes: any of them.', ...codeOf('agency', anyOf(agencyCode)) }),
  })).agency,
};

/** The most groups that one question answers. */
export const MOST_GROUPS = 10_000;

/** Groups of a page that is asked for without a number: as a rule all that there are. */
export const DEFAULT_GROUPS = 1_000;

/** Paging of groups, which cost so much to read; their selections are priced as far as is likely. */
export function groupsPaging(price: number) {
  return { most: MOST_GROUPS, defaultSize: DEFAULT_GROUPS, price, mostPriced: 500 };
}
