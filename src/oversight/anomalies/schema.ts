import { builder } from '../../graphql/builder.ts';
import type { OverseenAnomaly } from './find.ts';

export const OverseenAnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
  description:
    'Something that somebody should look at, with what of its evidence leads to nobody. `GET /v1/anomaly-rules`, and the page `/docs/anomalies`, say what each kind means.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname.' }),
    kind: t.exposeString('kind', { description: 'What it is.' }),
    mda: t.exposeID('mda', { nullable: true, description: 'The agency that it is about.' }),
    severity: t.exposeString('severity', { description: '`low`, `medium` or `high`.' }),
    status: t.field({ type: 'String', description: '`Open` or `Resolved`.', resolve: ({ status }) => status }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When it was found.' }),
    evidence: t.expose('evidence', { type: 'JSON', description: 'Figures and thresholds.' }),
  }),
});
