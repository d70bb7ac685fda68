import { builder } from '../../graphql/builder.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { AnyAnomalyType } from '../anomalies/schema.ts';
import { mdaLoader } from './find.ts';

builder.interfaceFields(AnyAnomalyType, (t) => ({
  agency: t.field({
    type: 'Mda',
    nullable: true,
    description: 'The agency concerned; of several the one with the largest share. Null if none is known.',
    resolve: ({ mda }, _args, call, info) => followIfAny(call, info, mdaLoader, mda),
  }),
  agencies: t.field({
    type: ['Mda'],
    description: 'All agencies concerned, the one with the largest share first. Empty if none is known.',
    resolve: ({ mdas }, _args, call, info) => Promise.all(mdas.map((mda) => follow(call, info, mdaLoader, mda))),
  }),
}));
