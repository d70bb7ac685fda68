// The same types, fields and walls as the rail has them: `prismaObject` for the columns, and SQL for what is read.
import { builder, needs } from '../../../src/graphql/builder.ts';
import { connection, defineConnection } from '../../../src/graphql/graph/connection.ts';
import { AssessmentStatus, Channel, IntentStatus } from '../../../src/generated/prisma/enums.ts';
import type { Agency, Assessment, AssessmentLine, PaymentIntent } from '../../../src/generated/prisma/client.ts';
import { type Wall, partsWithin, whereVisible } from '../../../src/platform/access/owned.ts';
import type { Call } from '../../../src/platform/call/call.ts';
import { columnsOf } from '../../../src/platform/database/record.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { loadByOwner } from '../../../src/platform/reading/batch.ts';
import { type PageArgs, newestFirst, readPage, readPageOf } from '../../../src/platform/reading/page.ts';

const AssessmentStatusEnum = builder.enumType(AssessmentStatus, { name: 'AssessmentStatus' });
const IntentStatusEnum = builder.enumType(IntentStatus, { name: 'IntentStatus' });
const ChannelEnum = builder.enumType(Channel, { name: 'Channel' });

const WITH_A_LINE: Wall = (agencies) =>
  sql`exists (select from assessment_line w where w.assessment = r.name and w.mda = any(${agencies}))`;
const WITH_A_SPLIT: Wall = (agencies) =>
  sql`exists (select from split_rule w where w.intent = r.name and w.mda = any(${agencies}))`;

const assessmentSelect = sql`select ${columnsOf('Assessment')} from assessment r`;

function findAssessment({ db, viewer }: Call, name: string): Promise<Assessment | null> {
  return db.row<Assessment>(sql`${assessmentSelect} where r.name = ${name} and ${whereVisible(viewer, WITH_A_LINE)}`);
}

function listAssessments(call: Call, page: PageArgs) {
  const where = [whereVisible(call.viewer, WITH_A_LINE)];
  return readPage<Assessment>(call, { select: assessmentSelect, table: 'assessment', ...newestFirst, where }, page);
}

const readLinesOf = loadByOwner<AssessmentLine>(
  ({ assessment }) => assessment,
  ({ db }, names) =>
    db.rows(sql`
      select ${columnsOf('AssessmentLine')} from assessment_line r where r.assessment = any(${names})
      order by r.assessment, r.idx`),
);

function listIntentsOf(call: Call, assessment: string, page: PageArgs) {
  const listing = () => ({
    select: sql`select ${columnsOf('PaymentIntent')} from payment_intent r`,
    table: 'payment_intent',
    ...newestFirst,
    direction: 'asc' as const,
    where: [whereVisible(call.viewer, WITH_A_SPLIT)],
  });
  return readPageOf<PaymentIntent>(call, listing, sql`r.assessment`, assessment, page);
}

function listAgencies(call: Call, page: PageArgs) {
  const select = sql`select ${columnsOf('Agency')} from mda r`;
  const where = [sql`r.status = 'Active'`];
  return readPage<Agency>(call, { select, table: 'mda', order: ['name'], direction: 'asc', where }, page);
}

const LineType = builder.prismaObject('AssessmentLine', {
  fields: (t) => ({
    idx: t.exposeInt('idx'),
    serviceId: t.exposeID('service'),
    serviceName: t.exposeString('serviceName'),
    agencyId: t.exposeID('mda'),
    quantity: t.exposeInt('quantity'),
    rate: t.expose('rate', { type: 'Decimal' }),
    amount: t.expose('amount', { type: 'Decimal' }),
  }),
});
const IntentType = builder.prismaObject('PaymentIntent', {
  fields: (t) => ({
    id: t.exposeID('name'),
    channel: t.expose('channel', { type: ChannelEnum }),
    status: t.expose('status', { type: IntentStatusEnum }),
    amount: t.expose('amount', { type: 'Decimal' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
const IntentConnection = defineConnection('PaymentIntent', IntentType, 'payment intents');
const AssessmentType = builder.prismaObject('Assessment', {
  fields: (t) => ({
    id: t.exposeID('name'),
    citizenId: t.exposeID('citizen'),
    status: t.expose('status', { type: AssessmentStatusEnum }),
    currency: t.exposeString('currency'),
    totalAmount: t.expose('totalAmount', { type: 'Decimal' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lines: t.field({
      type: [LineType],
      resolve: async ({ name }, _args, call) => partsWithin(call.viewer, await readLinesOf(call, name)),
    }),
    intents: t.field({
      ...connection(IntentConnection, { most: 50, args: {} }),
      resolve: ({ name }, args, call) => listIntentsOf(call, name, args),
    }),
  }),
});
const AgencyType = builder.prismaObject('Agency', {
  fields: (t) => ({
    id: t.exposeID('name'),
    name: t.exposeString('mdaName'),
    country: t.exposeString('country'),
    region: t.exposeString('region', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
const AssessmentConnection = defineConnection('Assessment', AssessmentType, 'assessments');
const AgencyConnection = defineConnection('Agency', AgencyType, 'agencies');
builder.queryFields((t) => ({
  assessment: t.field({
    type: AssessmentType,
    nullable: true,
    ...needs('assessments.read'),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, call) => findAssessment(call, id),
  }),
  assessments: t.field({
    ...needs('assessments.read'),
    ...connection(AssessmentConnection, { most: 200, args: {} }),
    resolve: (_root, args, call) => listAssessments(call, args),
  }),
  agencies: t.field({
    ...connection(AgencyConnection, { most: 500, args: {} }),
    resolve: (_root, args, call) => listAgencies(call, args),
  }),
}));
builder.mutationFields((t) => ({ nothing: t.boolean({ resolve: () => true }) }));

export const schemaBySql = builder.toSchema();
