import { builder } from '../../graphql/builder.ts';
import { agencyCode, anyOf, currencyCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';

/** The arguments that fields of `Oversight` have in common. */

const spanArgs = (first: string, last: string) => ({
  fromDate: builder.args((t) => ({
    fromDate: t.field({ type: 'Date', description: `The first day. Default: ${first}.` }),
  })).fromDate,
  toDate: builder.args((t) => ({ toDate: t.field({ type: 'Date', description: `The last day. Default: ${last}.` }) }))
    .toDate,
});
/** Of lists, which are complete unless something else is asked for. */
export const listSpan = spanArgs('no limit', 'no limit');
/** Of all figures alike. */
export const figuresSpan = spanArgs('29 days before the last, for a period of 30 days', 'today');
export const agencyArg = {
  mda: builder.args((t) => ({ mda: t.id({ description: 'Filter by agency code.', ...agencyCode }) })).mda,
};
export const currencyArg = {
  currency: builder.args((t) => ({
    currency: t.id({ description: 'Filter by currency (ISO 4217).', ...currencyCode }),
  })).currency,
};
/** Of what is added up: any of several agencies or channels. */
export const agenciesArg = {
  mda: builder.args((t) => ({
    mda: t.idList({ description: 'Filter by agency codes: any of them.', ...anyOf(agencyCode) }),
  })).mda,
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
export const channelArg = {
  channel: builder.args((t) => ({ channel: t.field({ type: ChannelEnum, description: 'Filter by payment channel.' }) }))
    .channel,
};
