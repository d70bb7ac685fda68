import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { REASON, agencyCode, integratorCode } from '../../graphql/input/forms.ts';
import { integratorLoader } from '../../accounts/integrators/find.ts';
import { IntegratorType } from '../../accounts/integrators/integrator-schema.ts';
import { AnomalyKindEnum, SeverityEnum } from '../../collection/anomalies/schema.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { AgencyType } from '../../collection/catalogue/schema.ts';
import { MOST_RETRIED, type RetriedAll, retryAll, retryAllAgain } from '../../collection/propagation/retry-all.ts';
import { readers, writers } from '../audience.ts';
import { CAUSES, type Cause, type CauseKind, MOST_CAUSES, listCauses } from './causes.ts';

const CauseKindEnum = defineEnum<CauseKind>('OpenCauseKind', 'Kind of cause that failures are grouped by.', CAUSES);

const CauseType = builder.objectRef<Cause>('OpenCause').implement({
  description: 'Failures that have one cause, as far as one can tell.',
  fields: (t) => ({
    kind: t.expose('kind', { type: CauseKindEnum, description: 'Kind of their common cause.' }),
    count: t.exposeInt('count', { description: 'The number of them.' }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the first of them was created; null for connections, which do not keep it.',
    }),
    latest: t.expose('latest', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time at which the last of them changed; for endpoints of agencies, at which one was last probed. Null for an authority or channel whose calls fail now.',
    }),
    connection: t.exposeString('connection', {
      nullable: true,
      description:
        'The kind of agencies whose endpoints failed their last probe, such as `tax authority`. Or the authority or channel of `country` whose calls fail now, such as `identity`. Null for others.',
    }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'The country (ISO 3166-1) whose authority or channel fails now; null for others.',
    }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description: 'The HTTP status that most messages were answered with. Null if most got no answer, and for others.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description:
        'Reason why the latest notice failed, or result of the latest probe, such as `timeout`; null for others.',
    }),
    onlyId: t.exposeID('only', {
      nullable: true,
      description: 'The docname of the failure, if it is the only one of its cause; null if there are several.',
    }),
    severity: t.field({
      type: SeverityEnum,
      nullable: true,
      description: 'The severity of anomalies; null for others.',
      resolve: ({ severity }) => severity as Severity | null,
    }),
    anomalyKind: t.field({
      type: AnomalyKindEnum,
      nullable: true,
      description: 'The kind of anomalies; null for others.',
      resolve: ({ anomaly }) => anomaly as AnomalyKind | null,
    }),
    integratorId: t.exposeID('integrator', {
      nullable: true,
      description: 'The code of the integrator whose messages they are; null for others.',
      ...integratorCode,
    }),
    integrator: t.field({
      type: IntegratorType,
      nullable: true,
      description: 'The integrator whose messages they are; null for others.',
      resolve: ({ integrator }, _args, call, info) => followIfAny(call, info, integratorLoader, integrator),
    }),
    agencyId: t.exposeID('agency', {
      nullable: true,
      description: 'The code of the agency whose notices or anomalies they are; null if there is none.',
      ...agencyCode,
    }),
    agency: t.field({
      type: AgencyType,
      nullable: true,
      description: 'The agency whose notices or anomalies they are; null if there is none.',
      resolve: ({ agency }, _args, call, info) => followIfAny(call, info, agencyLoader, agency),
    }),
  }),
});

const RetriedAllType = builder.objectRef<RetriedAll>('PropagationRetries').implement({
  description: 'Result of resending the failed notices of an agency.',
  fields: (t) => ({
    retried: t.exposeInt('retried', { description: 'The number of notices that are sent again.' }),
    cancelled: t.exposeInt('cancelled', {
      description: 'The number that was left because the assessment was cancelled after it was paid.',
    }),
    remaining: t.exposeInt('remaining', {
      description: 'The number that was left because only so many are sent at a time: ask again.',
    }),
  }),
});

builder.queryFields((t) => ({
  openCauses: t.field({
    type: [CauseType],
    description: `Failures that still need attention, grouped by cause: connections first, then the most severe and of these the latest, at most ${MOST_CAUSES}. ${readers}`,
    ...needs('operations.read'),
    complexity: { field: 60, multiplier: 20 },
    resolve: (_root, _args, call) => listCauses(call),
  }),
}));

builder.mutationFields((t) => ({
  retryPropagations: t.field({
    type: RetriedAllType,
    description: `Restarts all notifications of an agency that failed, oldest first and at most ${MOST_RETRIED} at a time. Payments that were cancelled before the agency could know of them are left. ${writers}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => retryAll(call, args),
    answerAgain: retryAllAgain,
  }),
}));
