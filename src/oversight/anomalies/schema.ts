import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../../collection/anomalies/schema.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { OverseenAnomaly } from './find.ts';

export const OverseenAnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
  description:
    'An anomaly without personal data. `GET /v1/anomaly-rules` and the page `/docs/anomalies` describe each kind.',
  fields: (t) => ({
    name: t.exposeID('name', { description: "The anomaly's docname, `ANOM-<yyyy>-<mm>-<6 digits>`." }),
    kind: t.field({
      type: AnomalyKindEnum,
      description: 'The kind of anomaly.',
      resolve: ({ kind }) => kind as AnomalyKind,
    }),
    mda: t.exposeID('mda', {
      nullable: true,
      description: 'The agency concerned; of several the one with the largest share. Null if none is known.',
    }),
    mdas: t.field({
      type: ['ID'],
      description: 'All agencies concerned, the one with the largest share first. Empty if none is known.',
      resolve: ({ mdas }) => [...mdas],
    }),
    severity: t.field({
      type: SeverityEnum,
      description: 'The severity: `low`, `medium` or `high`.',
      resolve: ({ severity }) => severity as Severity,
    }),
    status: t.field({
      type: AnomalyStatusEnum,
      description: 'The status: `Open` or `Resolved`.',
      resolve: ({ status }) => status,
    }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When the anomaly was detected.' }),
    evidence: t.expose('evidence', {
      type: 'JSON',
      description: 'The figures that led to it, and their thresholds; nothing personal.',
    }),
  }),
});

export const OverseenAnomalyConnection = defineConnection('OverseenAnomaly', OverseenAnomalyType, 'anomalies');
