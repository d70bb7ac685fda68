import { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, docname, freeText, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { LONGEST_LABEL } from '../../kernel/text.ts';
import { getAnomaly, listAnomalies } from './find.ts';
import { ANOMALY_KINDS } from './kinds.ts';
import { resolveAnomaly } from './resolve.ts';
import { type Rule, listRules } from './rules.ts';

export const AnomalyStatusEnum = builder.enumType(AnomalyStatus, {
  name: 'AnomalyStatus',
  description: 'Whether somebody looked into an anomaly.',
  values: { Open: { description: 'Nobody yet.' }, Resolved: { description: 'Somebody did.' } },
});

builder.prismaObject('Anomaly', {
  description: 'Something that somebody should look at.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `ANOM-<yyyy>-<mm>-<6 digits>`.', ...docname('anomaly') }),
    kind: t.exposeString('kind', {
      description: `What it is: ${ANOMALY_KINDS.map((kind) => `\`${kind}\``).join(', ')}. \`GET /v1/anomaly-rules\` says what each means.`,
    }),
    mda: t.exposeID('mda', { nullable: true, description: 'The agency that it is about.', ...agencyCode }),
    severity: t.exposeString('severity', { description: '`low`, `medium` or `high`.' }),
    status: t.expose('status', { type: AnomalyStatusEnum, description: 'Whether somebody looked into it.' }),
    subject: t.exposeID('subject', { description: 'The document that it is about.' }),
    evidence: t.expose('evidence', { type: 'JSON', description: 'What was found.' }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When it was found.' }),
    resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true, description: 'When somebody looked into it.' }),
    resolvedBy: t.exposeString('resolvedBy', { nullable: true, description: 'Who did.' }),
    resolution: t.exposeString('resolution', { nullable: true, description: 'What came of it.' }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: ({ raisedAt, resolvedAt }) => resolvedAt ?? raisedAt,
    }),
  }),
});

const RuleType = builder.objectRef<Rule>('AnomalyRule').implement({
  description: 'What a kind of anomaly means, and what to do about it.',
  fields: (t) => ({
    kind: t.field({ type: 'ID', description: 'The kind.', resolve: ({ kind }) => kind }),
    severity: t.exposeString('severity', { description: '`low`, `medium` or `high`: how soon somebody should look.' }),
    title: t.exposeString('title', { description: 'In short.' }),
    meaning: t.exposeString('meaning', { description: 'What happened.' }),
    whatToDo: t.exposeString('whatToDo', { description: 'What somebody should do about it.' }),
    thresholds: t.expose('thresholds', { type: 'JSON', nullable: true, description: 'From when on it is flagged; null: always.' }),
  }),
});

builder.queryFields((t) => ({
  anomalies: t.prismaField({
    type: ['Anomaly'],
    description: `Anomalies, newest first. For admins, system managers and the oversight role.`,
    ...needs('operations.read'),
    args: {
      status: t.arg({ type: AnomalyStatusEnum, description: 'Only those that stand so.' }),
      kind: t.arg.string({ description: 'Only those of this kind.', ...freeText(LONGEST_LABEL) }),
      mda: t.arg.id({ description: 'Only those about this agency.', ...agencyCode }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listAnomalies(call, args, args),
  }),
  anomalyRules: t.field({
    type: [RuleType],
    description: 'What is flagged, and what it means. Open to everyone.',
    resolve: (_root, _args, { config }) => listRules(config),
  }),
}));

builder.mutationFields((t) => ({
  resolveAnomaly: t.prismaField({
    type: 'Anomaly',
    description: `Notes what came of looking into an anomaly. For admins and system managers.`,
    ...needs('operations.write'),
    args: {
      name: t.arg.id({ required: true, description: 'Its docname.', ...docname('anomaly') }),
      note: t.arg.string({ required: true, description: 'What came of it, at most 1,000 characters.', ...someText() }),
    },
    resolve: (_query, _root, args, call) => resolveAnomaly(call, args),
    answerAgain: getAnomaly,
  }),
}));
