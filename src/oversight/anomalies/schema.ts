import { builder } from '../../graphql/builder.ts';
import type { OverseenAnomaly } from './find.ts';

export const OverseenAnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
  description: 'An anomaly without personal data. `GET /v1/anomaly-rules` and the page `/docs/anomalies` describe each kind.',
  fields: (t) => ({
    name: t.exposeID('name', { description: "The anomaly's docname." }),
    kind: t.exposeString('kind', { description: 'The kind of anomaly.' }),
    mda: t.exposeID('mda', {
      nullable: true,
      description: 'The agency concerned; of several the one with the largest share. Null if none is known.',
    }),
    mdas: t.field({
      type: ['ID'],
      description: 'All agencies concerned, the one with the largest share first. Empty if none is known.',
      resolve: ({ mdas }) => [...mdas],
    }),
    severity: t.exposeString('severity', { description: 'The severity: `low`, `medium` or `high`.' }),
    status: t.field({ type: 'String', description: 'The status: `Open` or `Resolved`.', resolve: ({ status }) => status }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When the anomaly was detected.' }),
    evidence: t.expose('evidence', { type: 'JSON', description: 'Figures and thresholds.' }),
  }),
});
