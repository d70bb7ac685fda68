import { AgencyType } from '../../collection/catalogue/schema.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { requireWithin } from '../../platform/access/owned.ts';
import { addAgencyOf } from '../common/edges.ts';
import { Oversight } from '../figures/oversight.ts';
import { type AgencySeal, latestSealLoader, readLatestSeals } from './latest.ts';

const SealType = builder.objectRef<AgencySeal>('AgencySeal').implement({
  description:
    "The most recent seal of an agency's chain of payment events. A copy kept outside the system proves later whether any earlier event was changed.",
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: 'The number of sealed events.' }),
    hash: t.exposeString('hash', {
      description: "SHA-256 (hex) over the last event and, through its predecessor's hash, all events before it.",
    }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'Time at which the last event was sealed.' }),
  }),
});
addAgencyOf(SealType, 'whose chain it is');

builder.objectField(AgencyType, 'seal', (t) =>
  t.field({
    type: SealType,
    nullable: true,
    description:
      "The most recent seal of the agency's payment events; null before the first. For those who may read its `figures`.",
    ...needs('agency.read', { alone: true }),
    resolve: ({ name }, _args, call) => {
      requireWithin(call.viewer, name);
      return latestSealLoader.load(call, name);
    },
  }),
);

builder.objectField(Oversight, 'seals', (t) =>
  t.field({
    type: [SealType],
    description: 'The most recent seal of each agency, in order of their codes.',
    complexity: { field: 20, multiplier: 10 },
    resolve: (_root, _args, call) => readLatestSeals(call),
  }),
);
