import { agencyLoader } from '../../../collection/catalogue/find.ts';
import { ANOMALY_KINDS, type AnomalyKind, type Severity } from '../../../collection/anomalies/kinds.ts';
import { AnomalyKindEnum, SeverityEnum } from '../../../collection/anomalies/schema.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyCode, docname, email, ownDocname } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { staffLoader } from '../../../identity/staff/find.ts';
import { RoleEnum, StaffType } from '../../../identity/staff/schema.ts';
import type { Role } from '../../../platform/access/needs.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { AGENCY_CODE } from '../../../kernel/text/identifiers.ts';
import { readers, writers } from '../../audience.ts';
import { amendAlertRule } from './amend.ts';
import { type AlertTransport, TIME_OF_DAY, TRANSPORTS } from './content.ts';
import { createAlertRule } from './create.ts';
import { deleteAlertRule } from './delete.ts';
import { alertRuleLoader, getAlertRule, listAlertRules } from './find.ts';

const TransportEnum = defineEnum<AlertTransport>('AlertTransport', 'Transport of an alert.', TRANSPORTS);

const AlertRuleType = builder.prismaObject('AlertRule', {
  description:
    'A rule that alerts people or a system to anomalies of some kinds as they are raised. It sends at most one alert an hour for each kind; what came meanwhile is in the next.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('alertRule')),
    staffId: t.exposeID('staff', {
      nullable: true,
      description: 'The e-mail address of the member of staff who is alerted; null if it is others.',
      ...email,
    }),
    staff: t.field({
      type: StaffType,
      nullable: true,
      description: 'The member of staff who is alerted; null if it is others.',
      resolve: ({ staff }, _args, call, info) => followIfAny(call, info, staffLoader, staff),
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'The role of all staff who are alerted; null if it is others.',
      resolve: ({ role }) => role as Role | null,
    }),
    staffOfId: t.exposeID('staffOf', {
      nullable: true,
      description: 'The code of the agency whose supervisors and finance officers are alerted; null if it is others.',
      ...agencyCode,
    }),
    staffOf: t.field({
      type: 'Agency',
      nullable: true,
      description: 'The agency whose supervisors and finance officers are alerted; null if it is others.',
      resolve: ({ staffOf }, _args, call, info) => followIfAny(call, info, agencyLoader, staffOf),
    }),
    transport: t.field({
      type: TransportEnum,
      description: 'Transport of the alert.',
      resolve: ({ transport }) => transport as AlertTransport,
    }),
    kinds: t.field({
      type: [AnomalyKindEnum],
      description: 'The kinds of anomalies; empty where it is about all of them.',
      resolve: ({ kinds }) => kinds as AnomalyKind[],
    }),
    severity: t.field({
      type: SeverityEnum,
      description: 'The least severity: anomalies of this one, and of higher ones.',
      resolve: ({ severity }) => severity as Severity,
    }),
    agencyIds: t.expose('mdas', {
      type: ['ID'],
      description: 'The codes of the agencies concerned; empty where it is about all, and about none.',
    }),
    agencies: t.field({
      type: ['Agency'],
      description: 'The agencies concerned; empty where it is about all, and about none.',
      resolve: ({ mdas }, _args, call, info) => Promise.all(mdas.map((code) => follow(call, info, agencyLoader, code))),
    }),
    quietFrom: t.exposeString('quietFrom', {
      nullable: true,
      description: 'The time of day, `HH:MM`, from which nothing is sent; null where there are no quiet hours.',
    }),
    quietTo: t.exposeString('quietTo', {
      nullable: true,
      description: 'The time of day, `HH:MM`, from which what was held back is sent together.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'True if it sends alerts at present.' }),
    createdBy: t.exposeString('createdBy', {
      description: 'The e-mail address of who made it; `system` for the one that every rail begins with.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which operators last changed it.' }),
  }),
});

defineNode({
  typename: 'AlertRule',
  needs: ['operations.read'],
  matches: (id) => isDocname('alertRule', id),
  loader: alertRuleLoader,
});

const AlertRuleConnection = defineConnection('AlertRule', AlertRuleType, 'alert rules');

builder.queryFields((t) => ({
  alertRules: t.field({
    description: `The rules by which staff are alerted to anomalies, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(AlertRuleConnection, { most: 200, args: {} }),
    resolve: (_root, args, call) => listAlertRules(call, args),
  }),
}));

const timeOfDay = shape({ pattern: TIME_OF_DAY.source, examples: ['22:00'] });
const QUIET =
  'by the clock of the first agency that it names, or else of the rail. Anomalies raised in quiet hours are held back, regardless of severity';

const said = builder.args((t) => ({
  staff: t.id({ description: 'The e-mail address of the member of staff who is alerted.', ...email }),
  role: t.field({ type: RoleEnum, description: 'The role of all staff who are alerted. Clerks are not.' }),
  staffOf: t.id({
    description: 'The code of the agency whose supervisors and finance officers are alerted to what concerns it.',
    ...agencyCode,
  }),
  transport: t.field({
    type: TransportEnum,
    description: 'Transport of the alert. Mail takes one of `staff`, `role` and `staffOf`. Default: `mail`.',
  }),
  kinds: t.field({
    type: [AnomalyKindEnum],
    description: 'The kinds of anomalies. Default, and for an empty list: all.',
    ...shape({ maxItems: ANOMALY_KINDS.length }),
  }),
  severity: t.field({ type: SeverityEnum, description: 'The least severity. Default: `high`.' }),
  agencies: t.idList({
    description: 'The codes of the agencies concerned. Default, and for an empty list: all, and what concerns none.',
    ...shape({ maxItems: 200, items: { pattern: AGENCY_CODE.source, examples: ['URA'] } }),
  }),
  quietFrom: t.string({ description: `The time of day from which nothing is sent, ${QUIET}.`, ...timeOfDay }),
  quietTo: t.string({
    description: 'The time of day, by the same clock, from which what was held back is sent together.',
    ...timeOfDay,
  }),
  enabled: t.boolean({ description: 'True if it sends alerts. Default: true.' }),
}));

const BOUND = 'Staff who are bound to agencies are alerted to what concerns these.';

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: AlertRuleType,
    description: `Has anomalies that are raised from now on told to staff, or to the endpoints of operators. ${BOUND} ${writers}${listReasons('no_webhook_endpoint')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: said,
    resolve: (_root, args, call) => createAlertRule(call, args),
    answerAgain: getAlertRule,
  }),
  amendAlertRule: t.field({
    type: AlertRuleType,
    description: `Changes an alert rule; what is left out stays as it is. One that is switched off forgets what it has not sent. ${writers}${listReasons('no_webhook_endpoint')}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the alert rule.', ...docname('alertRule') }),
      ...said,
    },
    resolve: (_root, args, call) => amendAlertRule(call, args),
    answerAgain: getAlertRule,
  }),
  deleteAlertRule: t.boolean({
    description: `Removes an alert rule, with what it has not sent. Answers true. ${writers}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: { id: t.arg.id({ required: true, description: 'The docname of the alert rule.', ...docname('alertRule') }) },
    resolve: (_root, { id }, call) => deleteAlertRule(call, id),
    answerAgain: () => true,
  }),
}));
