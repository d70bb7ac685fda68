import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { AnyAnomalyType } from '../../collection/anomalies/schema.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type OverseenAnomaly, overseenAnomalyLoader } from './find.ts';

export const OverseenAnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
  description:
    'An anomaly without personal data, as oversight sees it. `anomalyRules` and the page `/docs/anomalies` describe each kind. `node` answers it to those who may not see the `Anomaly` of the same ID.',
  interfaces: [NodeType, AnyAnomalyType],
  fields: (t) => ({
    // Not called `evidence`: what is kept by ID would have one field of that name answer in two ways.
    figures: t.expose('evidence', {
      type: 'JSON',
      description: 'The figures and thresholds of its evidence; nothing in them is personal.',
    }),
  }),
});

defineNode({
  typename: 'OverseenAnomaly',
  needs: ['oversight.read'],
  matches: (id) => isDocname('anomaly', id),
  loader: overseenAnomalyLoader,
  lesser: true,
});

export const OverseenAnomalyConnection = defineConnection('OverseenAnomaly', OverseenAnomalyType, 'anomalies');
