import { builder, needs } from '../../graphql/builder.ts';
import { failingByField } from '../../graphql/plugins/partial.ts';

/** What oversight is asked by; each domain adds its fields. */
export const Oversight = builder.objectRef<object>('Oversight').implement({
  description: 'Data for auditors, the finance ministry and the statistics bureau. It contains no personal data.',
  ...failingByField,
});

builder.queryFields((t) => ({
  oversight: t.field({
    type: Oversight,
    description: 'Oversight data. Scope `oversight.read`.',
    ...needs('oversight.read'),
    resolve: () => ({}),
  }),
}));
