import { builder, needs } from '../../graphql/builder.ts';
import { failingByField } from '../../graphql/plugins/partial.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { type ClosedSpan, closeLocalSpan } from '../common/span.ts';
import { SliceInput, SpanInput, checkSlice } from './query/inputs.ts';
import { checkNeeds } from './query/question.ts';
import { TimeZoneEnum, figuresSpan, zoneArg } from '../common/arguments.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import type { Slice } from './query/slice.ts';
import { type Held, holdDays } from './held.ts';

/** A replica has everything until the last change that reached it; how late it is, it cannot know. */
const AS_OF = sql`
  select case when pg_is_in_recovery() then least(clock_timestamp(), pg_last_xact_replay_timestamp())
    else clock_timestamp() end as "asOf"`;

/** Its lists are of PostgreSQL, its figures of the copy: a list is answered also while there is no copy. */
interface Overseen extends Held {
  /** Read before the lists: everything that was committed until then is in them. */
  readonly asOf: Date;
}

const SpanType = builder.objectRef<ClosedSpan>('OversightSpan').implement({
  description: 'The days that figures cover, with what was left out filled in.',
  fields: (t) => ({
    fromDate: t.expose('from', { type: 'Date', description: 'The first day of the span.' }),
    toDate: t.expose('to', { type: 'Date', description: 'The last day of the span, included.' }),
    timeZone: t.expose('timeZone', { type: TimeZoneEnum, description: 'Time zone of its days.' }),
  }),
});

/** Root of oversight's queries; each domain adds its fields. */
export const Oversight = builder.objectRef<Overseen>('Oversight').implement({
  description:
    'Data for auditors, the finance ministry and the statistics bureau. It contains no personal data. A filter by a code or a name that does not exist is refused with `validation_failed`.',
  ...failingByField,
  fields: (t) => ({
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment of the answer: all that was recorded until then is part of it; of figures about people, what had been disclosed until then. It is earlier than the question where a replica answers, or where more has changed than can be read within two seconds.',
      resolve: async ({ asOf }, _args, call) => {
        const ofFigures = await call.analytics.asOf();
        return ofFigures < asOf ? ofFigures : asOf;
      },
    }),
    span: t.field({
      type: SpanType,
      description: 'The days that figures cover which are asked for with these arguments: the last 30 by default.',
      args: { ...figuresSpan, ...zoneArg },
      resolve: async (held, span, call) => closeLocalSpan(call, await holdDays(call, held, span)),
    }),
  }),
});

/** A key that is bound to agencies sees theirs alone, of those that are asked for. */
function withinKey({ browser }: Viewer, slice: Slice | null | undefined): Slice | null | undefined {
  if (!browser || browser.agencies.length === 0) return slice;
  return { agency: browser.agencies, within: slice };
}

builder.queryFields((t) => ({
  oversight: t.field({
    type: Oversight,
    description:
      'Oversight data. Its span and slice hold for everything in it. A field that has arguments of its own takes its days instead, and what lies in both slices. A list refuses a member of the slice that it is not kept by. Scope `oversight.read`.',
    ...needs('oversight.read'),
    args: {
      span: t.arg({ type: SpanInput, description: 'The days of fields that name none.' }),
      slice: t.arg({ type: SliceInput, description: 'Slice that the figures are about. Default: everything.' }),
      timeZone: t.arg({
        type: TimeZoneEnum,
        description: "Time zone of days, for fields that do not say: that of the agency's country by default.",
      }),
    },
    resolve: async (_root, asked, call) => {
      checkNeeds(call, { by: [], slice: asked.slice ?? {} });
      await checkSlice(call, asked.slice ?? {});
      const held = { ...asked, slice: withinKey(call.viewer, asked.slice) };
      const row = await loadTogether(call, AS_OF, '', async () => {
        const read = await call.oversight.row<{ asOf: Date }>(AS_OF);
        return new Map([['', read!]]);
      });
      call.transport.meta.asOf = row!.asOf;
      return { ...held, ...row! };
    },
  }),
}));
