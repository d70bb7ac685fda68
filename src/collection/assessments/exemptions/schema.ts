import { ExemptionStatus } from '../../../generated/prisma/enums.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import {
  REASON,
  agencyCode,
  between,
  docname,
  docnameArg,
  freeText,
  ownDocname,
} from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_REASON } from '../../../kernel/text/free-text.ts';
import { getApproval } from '../../approvals/find.ts';
import { ApprovalType } from '../../approvals/schema.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { serviceLoader } from '../../catalogue/find.ts';
import { citizenLoader } from '../../citizens/find.ts';
import { requestExemption } from './approval.ts';
import { exemptionLoader, getExemption, listExemptions, listExemptionsOf } from './find.ts';
import { GROUNDS, type Ground } from './lifecycle.ts';
import { revokeExemption } from './revoke.ts';

const MOST_USES = 1_000_000;

const StatusEnum = builder.enumType(ExemptionStatus, {
  name: 'ExemptionStatus',
  description: 'The status of an exemption.',
  values: {
    Approved: { description: 'It applies to what is assessed on its days, as long as it has uses left.' },
    Revoked: { description: 'It applies to nothing more. Amounts that were fixed with it stay.' },
  },
});

export const GroundEnum = defineEnum<Ground>('ExemptionGround', 'The ground of an exemption.', GROUNDS);

const HASH = {
  description: 'SHA-256 (64 hexadecimal digits) of the paper that proves the ground. The paper itself is not kept.',
  ...shape({ maxLength: 64, examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
};

const ExemptionType = builder.prismaObject('Exemption', {
  description: 'Charges of an agency that somebody need not pay, in part or at all, as two people decided.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('exemption')),
    citizenId: t.exposeID('citizen', { description: 'The docname of who is exempt.', ...docname('citizen') }),
    citizen: t.field({
      type: 'Citizen',
      description: 'The citizen who is exempt. Scope `citizens.read`.',
      ...needs('citizens.read', { alone: true }),
      resolve: ({ citizen }, _args, call, info) => follow(call, info, citizenLoader, citizen),
    }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that is owed less.', ...agencyCode }),
    agency: t.field(agencyField('The agency that is owed less.')),
    serviceId: t.exposeID('service', {
      nullable: true,
      description: 'The docname of the service that it is for; null for all of the agency.',
      ...docname('service'),
    }),
    service: t.field({
      type: 'Service',
      nullable: true,
      description: 'The service that it is for; null for all of the agency.',
      resolve: ({ service }, _args, call, info) => followIfAny(call, info, serviceLoader, service),
    }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'The category of tariffs that it is for; null for all. A plain fee is in `standard`.',
    }),
    percent: t.expose('percent', { type: 'Decimal', description: 'The part of an amount that is waived, in percent.' }),
    ground: t.field({
      type: GroundEnum,
      description: 'The ground of the exemption.',
      resolve: ({ ground }) => ground as Ground,
    }),
    documentHash: t.exposeString('documentHash', HASH),
    validFrom: t.expose('validFrom', { type: 'Date', description: "Its first day, in the agency's country." }),
    validTo: t.expose('validTo', { type: 'Date', description: "Its last day, in the agency's country." }),
    usesLeft: t.exposeInt('usesLeft', {
      nullable: true,
      description: 'The number of lines that it can still be applied to; null for any number.',
    }),
    status: t.expose('status', { type: StatusEnum, description: 'The status of the exemption; `Revoked` is final.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was revoked; null if it was not.',
    }),
    revokedReason: t.exposeString('revokedReason', {
      nullable: true,
      description: 'The reason for its revocation; null if it was not revoked.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was approved.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it was last changed or used.' }),
  }),
});

defineNode({
  typename: 'Exemption',
  needs: ['exemptions.read'],
  matches: (id) => isDocname('exemption', id),
  loader: exemptionLoader,
});

const ExemptionConnection = defineConnection('Exemption', ExemptionType, 'exemptions');

const WHO =
  'For supervisors, finance officers, admins, system managers and oversight, and for agency tokens with `assessments.read`.';

const filters = builder.args((t) => ({
  status: t.field({ type: StatusEnum, description: 'Only exemptions in this status. Default: in any.' }),
}));

builder.prismaObjectField('Agency', 'exemptions', (t) =>
  t.field({
    description: `Its exemptions, newest first. ${WHO}`,
    ...needs('exemptions.read', { alone: true }),
    ...connection(ExemptionConnection, { most: 200, args: filters }),
    resolve: ({ name }, args, call) => listExemptionsOf(call, 'mda', name, args, args),
  }),
);

builder.prismaObjectField('Citizen', 'exemptions', (t) =>
  t.field({
    description: `Their exemptions, newest first. ${WHO}`,
    ...needs('exemptions.read', { alone: true }),
    ...connection(ExemptionConnection, { most: 200, args: filters }),
    resolve: ({ name }, args, call) => listExemptionsOf(call, 'citizen', name, args, args),
  }),
);

builder.prismaObjectField('AssessmentLine', 'exemption', (t) =>
  t.field({
    type: ExemptionType,
    nullable: true,
    description: `The exemption that took off what is waived; null if none did. ${WHO}`,
    ...needs('exemptions.read', { alone: true }),
    resolve: ({ exemption }, _args, call, info) => followIfAny(call, info, exemptionLoader, exemption),
  }),
);

builder.queryFields((t) => ({
  exemptions: t.field({
    description: `Exemptions from charges of agencies, newest first. ${WHO}`,
    ...needs('exemptions.read'),
    ...connection(ExemptionConnection, {
      most: 200,
      args: {
        agency: t.arg.id({ description: 'Only exemptions from charges of this agency.', ...agencyCode }),
        citizen: t.arg.id({ description: 'Only exemptions of this citizen (docname).', ...docname('citizen') }),
        ...filters,
      },
    }),
    resolve: (_root, args, call) => listExemptions(call, args, args),
  }),
  exemption: t.field({
    type: ExemptionType,
    description: `Returns an exemption. ${WHO} \`not_found\` if it does not exist.`,
    ...needs('exemptions.read'),
    args: { id: t.arg.id(docnameArg('exemption')) },
    resolve: (_root, { id }, call) => getExemption(call, id),
  }),
}));

const agencyArg = builder.args((t) => ({
  agency: t.id({ required: true, description: 'The code of the agency that is owed less.', ...agencyCode }),
}));

builder.mutationFields((t) => ({
  requestExemption: t.field({
    type: ApprovalType,
    description:
      'Asks that a citizen pays an agency less, or nothing. Somebody independent approves it: an admin, a system manager or a finance officer of the agency. The `subject` of the request is the docname that the exemption then has. For supervisors, finance officers and admins, and for agency tokens with `assessments.write`.' +
      listReasons('category_unknown'),
    ...needs('exemptions.request', { people: 'two' }),
    args: {
      ...agencyArg,
      citizen: t.arg.id({ required: true, description: 'The docname of who is exempt.', ...docname('citizen') }),
      service: t.arg.id({
        description: 'The service (docname) that it is for. Default: all of the agency.',
        ...docname('service'),
      }),
      category: t.arg.string({
        description: 'The category of tariffs that it is for; a plain fee is in `standard`. Default: all.',
        ...shape({ maxLength: 40, examples: ['standard'] }),
      }),
      percent: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The part of an amount that is waived, in percent: more than 0, with at most 4 decimals.',
        ...between(0, 100),
      }),
      ground: t.arg({ type: GroundEnum, required: true, description: 'The ground of the exemption.' }),
      documentHash: t.arg.string({ required: true, ...HASH }),
      fromDate: t.arg({ type: 'Date', required: true, description: "Its first day, in the agency's country." }),
      toDate: t.arg({ type: 'Date', required: true, description: "Its last day, in the agency's country." }),
      usesLeft: t.arg.int({
        description: 'The number of lines that it can be applied to. Default: any number.',
        ...between(1, MOST_USES),
      }),
      reason: t.arg.string({
        description: `The reason in words, at most ${LONGEST_REASON} characters; required for the ground \`other\`.`,
        ...freeText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => requestExemption(call, args),
    answerAgain: getApproval,
  }),
  revokeExemption: t.field({
    type: ExemptionType,
    description:
      'Ends an exemption: it applies to nothing that is assessed from now on, and amounts that were fixed with it stay. A Revoked one is returned unchanged. For finance officers, admins and system managers.',
    ...needs('money.write', { people: 'alone' }),
    args: { ...agencyArg, id: t.arg.id(docnameArg('exemption')), reason: t.arg.string(REASON) },
    resolve: (_root, args, call) => revokeExemption(call, args),
    answerAgain: getExemption,
  }),
}));
