import { agencyListArg } from '../common/arguments.ts';
import { holdSlice } from '../figures/held.ts';
import { Oversight } from '../figures/oversight.ts';
import { AgencyType } from '../../collection/catalogue/schema.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { requireWithin } from '../../platform/access/owned.ts';
import { findRecordedSince } from '../figures/query/question.ts';

builder.objectField(Oversight, 'recordedSince', (t) =>
  t.field({
    type: 'Date',
    nullable: true,
    description:
      "The first day with a recorded payment, in the time zones of the agencies' countries; null if there is none. Figures of earlier days are 0 because nothing was recorded, not because nothing was collected: a comparison with them says nothing.",
    args: agencyListArg,
    complexity: 20,
    resolve: (held, args, call) =>
      findRecordedSince(call, { slice: holdSlice(held, args, { agency: 'agency' }), timeZone: 'country' }),
  }),
);

builder.objectField(AgencyType, 'recordedSince', (t) =>
  t.field({
    type: 'Date',
    nullable: true,
    description:
      'The first day with a recorded payment of the agency; null if there is none. For those who may read its `figures`.',
    ...needs('agency.read', { alone: true }),
    complexity: 20,
    resolve: ({ name }, _args, call) => {
      requireWithin(call.viewer, name);
      return findRecordedSince(call, { slice: { agency: [name] }, timeZone: 'country' });
    },
  }),
);
