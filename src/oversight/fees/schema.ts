import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { languageArg } from '../../graphql/input/languages.ts';
import { nameIn } from '../../collection/catalogue/names.ts';
import { currencyCode, docname } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import type { HeldFee } from './find.ts';
import { addAgencyOf } from '../common/edges.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { serviceLoader } from '../../collection/catalogue/find.ts';

export const HeldFeeType = builder.objectRef<HeldFee>('HeldFee').implement({
  description:
    'An official fee of a service, and from when to when it held. Who set it is in the audit trail of operators.',
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier (docname), `FEE-<yyyy>-<mm>-<6 digits>`.',
      ...shape({ pattern: String.raw`^FEE-\d{4}-\d{2}-\d{6,18}$`, examples: ['FEE-2026-11-000017'] }),
    }),
    serviceId: t.exposeID('service', {
      description: 'The docname of the service that the fee is for.',
      ...docname('service'),
    }),
    service: t.field({
      type: 'Service',
      description: 'The service, as the catalogue has it now.',
      resolve: ({ service }, _args, call, info) => follow(call, info, serviceLoader, service),
    }),
    code: t.exposeString('code', { description: "The agency's own code for the service." }),
    serviceName: t.string({
      description: 'The name of the service.',
      args: languageArg,
      resolve: async ({ service, serviceName }, { language }, call) => {
        const now = language == null || language === 'en' ? null : await serviceLoader.load(call, service);
        return now ? nameIn(language, serviceName, now) : serviceName;
      },
    }),
    feeAmount: t.expose('feeAmount', { type: 'Decimal', description: 'The fee per unit, in `currency`.' }),
    currency: t.exposeString('currency', { description: 'The currency of the fee (ISO 4217).', ...currencyCode }),
    from: t.expose('from', {
      type: 'DateTime',
      description:
        'Time at which it was set. For fees that were set before this history was kept: when the service was last changed before that.',
    }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the next fee was set; null for the fee that holds.',
    }),
  }),
});
addAgencyOf(HeldFeeType, 'that offers the service');

export const HeldFeeConnection = defineConnection('HeldFee', HeldFeeType, 'fees');
