// Assessments and agencies as the guides of Pothos and Prisma have them: `prismaObject`, `prismaField`,
// `prismaConnection`, `t.relation` and Prisma's client, on the rail's tables and with its walls.
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { DateTimeResolver } from 'graphql-scalars';
import { isBound } from '../../../src/platform/access/owned.ts';
import { type Viewer, ownerOf } from '../../../src/platform/access/viewer.ts';
import { AssessmentStatus, Channel, IntentStatus } from '../../../src/generated/prisma/enums.ts';
import type { Prisma, PrismaClient } from '../../../src/generated/prisma/client.ts';
import type PrismaTypes from '../../../src/generated/pothos.ts';
import { getDatamodel } from '../../../src/generated/pothos.ts';

/** The caller: an account, which sees its own rows; or staff, who see all rows or those that involve their agencies. */
export interface Asker {
  readonly integrator: string | null;
  readonly agencies: readonly string[] | null;
}

/** The caller as this file needs it, from the rail's viewer. */
export function askerOf(viewer: Viewer): Asker {
  return { integrator: ownerOf(viewer), agencies: isBound(viewer) ? viewer.agencies : null };
}

export function schemaByClient(prisma: PrismaClient) {
  const builder = new SchemaBuilder<{
    PrismaTypes: PrismaTypes;
    Context: Asker;
    DefaultFieldNullability: false;
    Scalars: { Decimal: { Input: number; Output: Prisma.Decimal }; DateTime: { Input: Date; Output: Date } };
  }>({
    plugins: [PrismaPlugin, RelayPlugin],
    defaultFieldNullability: false,
    prisma: { client: prisma, dmmf: getDatamodel() },
    relay: { nodesOnConnection: true },
  });
  builder.addScalarType('DateTime', DateTimeResolver);
  builder.scalarType('Decimal', { serialize: (amount) => amount.toNumber() });
  const AssessmentStatusEnum = builder.enumType(AssessmentStatus, { name: 'AssessmentStatus' });
  const IntentStatusEnum = builder.enumType(IntentStatus, { name: 'IntentStatus' });
  const ChannelEnum = builder.enumType(Channel, { name: 'Channel' });

  /** The agencies that somebody is bound to. */
  const within = ({ agencies }: Asker) => (agencies === null ? {} : { mda: { in: [...agencies] } });
  const owned = ({ integrator }: Asker) => (integrator === null ? {} : { integrator });

  builder.prismaObject('AssessmentLine', {
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
  builder.prismaObject('PaymentIntent', {
    fields: (t) => ({
      id: t.exposeID('name'),
      channel: t.expose('channel', { type: ChannelEnum }),
      status: t.expose('status', { type: IntentStatusEnum }),
      amount: t.expose('amount', { type: 'Decimal' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  builder.prismaObject('Assessment', {
    fields: (t) => ({
      id: t.exposeID('name'),
      citizenId: t.exposeID('citizen'),
      status: t.expose('status', { type: AssessmentStatusEnum }),
      currency: t.exposeString('currency'),
      totalAmount: t.expose('totalAmount', { type: 'Decimal' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      lines: t.relation('lines', { query: (_args, asker) => ({ where: within(asker), orderBy: { idx: 'asc' } }) }),
      intents: t.relatedConnection('intents', {
        cursor: 'name',
        query: (_args, asker) => ({
          where: { ...owned(asker), splits: asker.agencies ? { some: within(asker) } : {} },
          orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
        }),
      }),
    }),
  });
  builder.prismaObject('Agency', {
    fields: (t) => ({
      id: t.exposeID('name'),
      name: t.exposeString('mdaName'),
      country: t.exposeString('country'),
      region: t.exposeString('region', { nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  const visible = (asker: Asker) => ({ ...owned(asker), lines: asker.agencies ? { some: within(asker) } : {} });
  builder.queryType({
    fields: (t) => ({
      assessment: t.prismaField({
        type: 'Assessment',
        nullable: true,
        args: { id: t.arg.id({ required: true }) },
        resolve: (query, _root, { id }, asker) =>
          prisma.assessment.findUnique({ ...query, where: { name: id, ...visible(asker) } }),
      }),
      assessments: t.prismaConnection({
        type: 'Assessment',
        cursor: 'name',
        resolve: (query, _root, _args, asker) =>
          prisma.assessment.findMany({
            ...query,
            where: visible(asker),
            orderBy: [{ createdAt: 'desc' }, { name: 'desc' }],
          }),
      }),
      agencies: t.prismaConnection({
        type: 'Agency',
        cursor: 'name',
        resolve: (query) => prisma.agency.findMany({ ...query, where: { status: 'Active' }, orderBy: { name: 'asc' } }),
      }),
    }),
  });
  return builder.toSchema();
}
