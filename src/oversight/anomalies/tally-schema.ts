import { builder } from '../../graphql/builder.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../../collection/anomalies/schema.ts';
import { AgeBandEnum } from '../root/ages.ts';
import { agencyListArg, listSpan } from '../root/arguments.ts';
import { addAgency } from '../root/edges.ts';
import { Oversight } from '../root/oversight.ts';
import { ANOMALY_GROUPINGS, type AnomalyGrouping, type AnomalyTally, tallyAnomalies } from './tally.ts';

const GroupingEnum = builder.enumType('AnomalyGrouping', {
  description: 'A dimension by which anomalies are counted.',
  values: {
    kind: { description: 'By kind of anomaly.' },
    severity: { description: 'By severity: low, medium or high.' },
    agency: { description: 'By agency: one that concerns several agencies counts once for each.' },
    age: { description: 'By age band: the time since the anomaly was detected.' },
    day: { description: 'By the day on which the anomaly was detected (UTC).' },
  } satisfies Record<AnomalyGrouping, object>,
});

const TallyType = builder.objectRef<AnomalyTally>('AnomalyTally').implement({
  description: 'How many anomalies there are of one group. Dimensions that were not asked for are null.',
  fields: (t) => ({
    kind: t.field({
      type: AnomalyKindEnum,
      nullable: true,
      description: 'The kind, if grouped by it.',
      resolve: ({ kind }) => kind ?? null,
    }),
    severity: t.field({
      type: SeverityEnum,
      nullable: true,
      description: 'The severity, if grouped by it.',
      resolve: ({ severity }) => severity ?? null,
    }),
    age: t.field({
      type: AgeBandEnum,
      nullable: true,
      description: 'The age band, if grouped by it.',
      resolve: ({ age }) => age ?? null,
    }),
    day: t.field({
      type: 'Date',
      nullable: true,
      description: 'The day on which they were detected (UTC), if grouped by it.',
      resolve: ({ day }) => day ?? null,
    }),
    count: t.exposeInt('count', { description: 'The number of anomalies.' }),
    oldest: t.expose('oldest', { type: 'DateTime', description: 'When the first of them was detected.' }),
    newest: t.expose('newest', { type: 'DateTime', description: 'When the last of them was detected.' }),
  }),
});

addAgency(TallyType, 'of the group; null too for anomalies that concern no known agency');

const list = shape({ minItems: 1, maxItems: 100 });

builder.objectFields(Oversight, (t) => ({
  anomalyTally: t.field({
    type: [TallyType],
    description: 'Anomalies counted as they stand now, in groups; the largest group first.',
    args: {
      groupBy: t.arg({
        type: [GroupingEnum],
        required: true,
        defaultValue: ['kind'],
        description: 'The dimensions to group by. Default: by kind.',
        ...shape({ maxItems: ANOMALY_GROUPINGS.length }),
      }),
      kind: t.arg({ type: [AnomalyKindEnum], description: 'Filter by kinds: any of them.', ...list }),
      severity: t.arg({ type: [SeverityEnum], description: 'Filter by severities: any of them.', ...list }),
      ...agencyListArg,
      ...listSpan,
      status: t.arg({
        type: AnomalyStatusEnum,
        required: true,
        defaultValue: 'Open',
        description: 'Filter by status. Default: those that nobody has resolved.',
      }),
    },
    complexity: { field: 20, multiplier: 20 },
    resolve: (_root, args, call) => tallyAnomalies(call, args),
  }),
}));
