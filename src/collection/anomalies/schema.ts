import { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode, typenameOf } from '../../graphql/graph/node.ts';
import { agencyCode, email, ownDocname } from '../../graphql/input/forms.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { type AnomalyOrder, anomalyLoader, listAnomalies } from './find.ts';
import { ANOMALIES, ANOMALY_KINDS, type AnomalyKind, SEVERITIES, type Severity } from './kinds.ts';
import { type Rule, listRules } from './rules.ts';

export const AnomalyStatusEnum = builder.enumType(AnomalyStatus, {
  name: 'AnomalyStatus',
  description: 'The review status of an anomaly.',
  values: {
    Open: { description: 'Nobody has reviewed it yet, or it happened again since.' },
    Resolved: { description: 'Reviewed, with a note on the outcome.' },
  },
});

export const AnomalyKindEnum = defineEnum(
  'AnomalyKind',
  'The kind of an anomaly. Kinds may be added.',
  Object.fromEntries(ANOMALY_KINDS.map((kind) => [kind, ANOMALIES[kind].meaning])) as Record<AnomalyKind, string>,
);

export const SeverityEnum = defineEnum('AnomalySeverity', 'Urgency of an anomaly.', SEVERITIES);

/** Members of an anomaly that all its readers see, in either of its forms. */
interface AnomalyFacts {
  readonly name: string;
  readonly kind: string;
  readonly mda: string | null;
  readonly mdas: readonly string[];
  readonly severity: string;
  readonly status: AnomalyStatus;
  readonly raisedAt: Date;
}

export const AnyAnomalyType = builder.interfaceRef<AnomalyFacts>('AnyAnomaly').implement({
  description:
    'Fields of an anomaly that all its readers see: `Anomaly` is shown to operators, `OverseenAnomaly` to oversight. Both forms of an anomaly answer these fields alike.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('anomaly')),
    kind: t.field({
      type: AnomalyKindEnum,
      description: `The kind of anomaly: ${ANOMALY_KINDS.map((kind) => `\`${kind}\``).join(', ')}. \`GET /v1/anomaly-rules\` describes each kind.`,
      resolve: ({ kind }) => kind as AnomalyKind,
    }),
    agencyId: t.exposeID('mda', {
      nullable: true,
      description:
        'The code of the agency concerned; of several the one with the largest share. Null if none is known.',
      ...agencyCode,
    }),
    agencyIds: t.field({
      type: ['ID'],
      description: 'The codes of all agencies concerned, the one with the largest share first. Empty if none is known.',
      resolve: ({ mdas }) => [...mdas],
    }),
    severity: t.field({
      type: SeverityEnum,
      description: 'The severity: `low`, `medium` or `high`.',
      resolve: ({ severity }) => severity as Severity,
    }),
    status: t.expose('status', { type: AnomalyStatusEnum, description: 'State of the anomaly: open or resolved.' }),
    raisedAt: t.expose('raisedAt', {
      type: 'DateTime',
      description: 'Time at which the anomaly was detected; if it happened again once resolved, the last time.',
    }),
  }),
  resolveType: typenameOf,
});

export const AnomalyType = builder.prismaObject('Anomaly', {
  description: 'An irregularity that needs review.',
  interfaces: [NodeType, AnyAnomalyType],
  fields: (t) => ({
    subjectId: t.exposeID('subject', {
      description: 'The docname of the document concerned, or else what it is about, such as an agency on a day.',
    }),
    evidence: t.expose('evidence', {
      type: 'JSON',
      description: 'The findings: figures and documents that led to the anomaly.',
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the anomaly was resolved.',
    }),
    resolvedBy: t.exposeString('resolvedBy', {
      nullable: true,
      description: 'The e-mail address of who resolved it; null while it is open.',
    }),
    resolution: t.exposeString('resolution', {
      nullable: true,
      description: 'The note on the outcome; null while it is open.',
    }),
    assigneeId: t.exposeID('assignee', {
      nullable: true,
      description: 'The e-mail address of the member of staff who looks into it; null if nobody does.',
      ...email,
    }),
    snoozedUntil: t.field({
      type: 'Date',
      nullable: true,
      description: 'The day (UTC) on which it needs attention again; null if it is not snoozed.',
      resolve: ({ snoozedUntil }, _args, { now }) => (snoozedUntil && snoozedUntil > now() ? snoozedUntil : null),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time at which it last changed.',
      resolve: ({ raisedAt, resolvedAt, updatedAt }) => updatedAt ?? resolvedAt ?? raisedAt,
    }),
  }),
});

defineNode({
  typename: 'Anomaly',
  needs: ['operations.read'],
  matches: (id) => isDocname('anomaly', id),
  loader: anomalyLoader,
});

const AnomalyConnection = defineConnection('Anomaly', AnomalyType, 'anomalies');

const AnomalyOrderEnum = defineEnum<AnomalyOrder>('AnomalyOrder', 'The order of a list of anomalies.', {
  raised_desc: 'By time of creation, the newest first.',
  raised_asc: 'By time of creation, the oldest first.',
});

const RuleType = builder.objectRef<Rule>('AnomalyRule').implement({
  description: 'A kind of anomaly: what it means and what to do about it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: AnomalyKindEnum, description: 'The kind of anomaly.' }),
    severity: t.expose('severity', { type: SeverityEnum, description: 'The severity: `low`, `medium` or `high`.' }),
    title: t.exposeString('title', { description: 'The event, in a few words.' }),
    meaning: t.exposeString('meaning', { description: 'The meaning of the anomaly.' }),
    whatToDo: t.exposeString('whatToDo', { description: 'Action that somebody should take about it.' }),
    thresholds: t.expose('thresholds', {
      type: 'JSON',
      nullable: true,
      description: 'The thresholds beyond which an anomaly is raised; null if it is always raised.',
    }),
  }),
});

builder.queryFields((t) => ({
  anomalies: t.field({
    description: `Anomalies, newest first. For admins, system managers and the oversight role.`,
    ...needs('operations.read'),
    ...connection(AnomalyConnection, {
      most: 200,
      searched: ['status', 'kind', 'severity', 'assignee', 'snoozed'],
      args: {
        status: t.arg({ type: AnomalyStatusEnum, description: 'Only anomalies in this status. Default: in any.' }),
        kind: t.arg({
          type: [AnomalyKindEnum],
          description: 'Filter by kinds: any of them.',
          ...shape({ items: { maxLength: LONGEST_LABEL } }),
        }),
        severity: t.arg({
          type: [SeverityEnum],
          description: 'Filter by severity: any of them.',
          ...shape({ items: { maxLength: LONGEST_LABEL } }),
        }),
        agency: t.arg.id({
          description: 'Filter by agency code: anomalies that concern the agency, alone or among others.',
          ...agencyCode,
        }),
        assignee: t.arg.id({
          description: 'Filter by the e-mail address of the member of staff to whom it is assigned.',
          ...email,
        }),
        snoozed: t.arg.boolean({
          description: 'Only anomalies that are snoozed, or only those that are not. Default: both.',
        }),
        orderBy: t.arg({ type: AnomalyOrderEnum, description: 'The order of the list. Default: the newest first.' }),
      },
    }),
    resolve: (_root, args, call) => listAnomalies(call, args, args),
  }),
  anomalyRules: t.field({
    type: [RuleType],
    description: 'The kinds of anomalies and what they mean, in a fixed order. No authentication required.',
    resolve: (_root, _args, { config }) => listRules(config),
  }),
}));
