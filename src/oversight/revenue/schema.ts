import { agencyListArg } from '../root/arguments.ts';
import { holdSlice } from '../root/held.ts';
import { Oversight } from '../root/oversight.ts';
import { builder } from '../../graphql/builder.ts';
import { findRecordedSince } from './recorded-since.ts';

builder.objectField(Oversight, 'recordedSince', (t) =>
  t.field({
    type: 'Date',
    nullable: true,
    description:
      "The first day with a recorded payment, in the time zones of the agencies' countries; null if there is none. Figures of earlier days are 0 because nothing was recorded, not because nothing was collected: a comparison with them says nothing.",
    args: agencyListArg,
    complexity: 20,
    resolve: (held, args, call) => findRecordedSince(call, holdSlice(held, args, { agency: 'agency' }).agency ?? null),
  }),
);
