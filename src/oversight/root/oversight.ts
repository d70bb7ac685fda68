import { builder, needs } from '../../graphql/builder.ts';
import { failingByField } from '../../graphql/plugins/partial.ts';
import { type ClosedSpan, closeLocalSpan } from '../figures/span.ts';
import { TimeZoneEnum, figuresSpan, zoneArg } from './arguments.ts';

interface Overseen {
  /** Read before what it is said of: whatever was committed until then is part of the answer. */
  readonly asOf: Date;
}

const SpanType = builder.objectRef<ClosedSpan>('OversightSpan').implement({
  description: 'The days that figures cover, with what was left out filled in.',
  fields: (t) => ({
    fromDate: t.expose('from', { type: 'Date', description: 'The first day of the span.' }),
    toDate: t.expose('to', { type: 'Date', description: 'The last day of the span, included.' }),
    timeZone: t.expose('timeZone', { type: TimeZoneEnum, description: 'Whose days they are.' }),
  }),
});

/** What oversight is asked by; each domain adds its fields. */
export const Oversight = builder.objectRef<Overseen>('Oversight').implement({
  description:
    'Data for auditors, the finance ministry and the statistics bureau. It contains no personal data. A filter by a code or a name that does not exist is refused with `validation_failed`.',
  ...failingByField,
  fields: (t) => ({
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description:
        'The moment of the answer: all that was recorded until then is part of it. It is earlier than the question where a replica answers, or where more has changed than can be read within two seconds.',
    }),
    span: t.field({
      type: SpanType,
      description: 'The days that figures cover which are asked for with these arguments: the last 30 by default.',
      args: { ...figuresSpan, ...zoneArg },
      resolve: (_root, span, call) => closeLocalSpan(call, span),
    }),
  }),
});

builder.queryFields((t) => ({
  oversight: t.field({
    type: Oversight,
    description: 'Oversight data. Scope `oversight.read`.',
    ...needs('oversight.read'),
    resolve: async (_root, _args, call) => {
      const asOf = await call.analytics.asOf();
      call.beside.asOf = asOf;
      return { asOf };
    },
  }),
}));
