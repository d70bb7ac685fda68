import { builder } from '../../graphql/builder.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { AnyAnomalyType } from '../anomalies/schema.ts';
import { agencyLoader } from './find.ts';

builder.interfaceFields(AnyAnomalyType, (t) => ({
  agency: t.field({
    type: 'Agency',
    nullable: true,
    description: 'The agency concerned; of several the one with the largest share. Null if none is known.',
    resolve: ({ mda }, _args, call, info) => followIfAny(call, info, agencyLoader, mda),
  }),
  agencies: t.field({
    type: ['Agency'],
    description: 'All agencies concerned, the one with the largest share first. Empty if none is known.',
    resolve: ({ mdas }, _args, call, info) => Promise.all(mdas.map((mda) => follow(call, info, agencyLoader, mda))),
  }),
}));
