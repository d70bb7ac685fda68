import { builder, needs, openInPart } from '../../../graphql/builder.ts';
import { agencyCode, currencyCode, docname } from '../../../graphql/input/forms.ts';
import { follow, followIfAny } from '../../../graphql/graph/edge.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { serviceLoader } from '../../catalogue/find.ts';
import { exemptionLoader } from '../exemptions/find.ts';
import { type Quote, type QuotedLine, quote } from './quote.ts';
import { LINE_REASONS, lineArgs } from '../schema.ts';

const QuotedLineType = builder.objectRef<QuotedLine>('QuotedLine').implement({
  description: 'A line as an assessment would have it.',
  fields: (t) => ({
    idx: t.exposeInt('idx', { description: 'The line number, starting at 1.' }),
    serviceId: t.exposeID('service', { description: 'The docname of the service.', ...docname('service') }),
    service: t.field({
      type: 'Service',
      description: 'The service, as the catalogue has it now.',
      resolve: ({ service }, _args, call, info) => follow(call, info, serviceLoader, service),
    }),
    serviceName: t.exposeString('serviceName', { description: 'The name of the service.' }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that would be owed it.', ...agencyCode }),
    agency: t.field(agencyField('The agency that would be owed it.')),
    quantity: t.exposeInt('quantity', { description: 'The quantity, 1 to 10,000.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'The fee per unit, or the amount that a tariff makes.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'The amount: rate multiplied by quantity, less what would be waived.',
    }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'The category of the tariff; null where there is a fee for each piece.',
    }),
    baseAmount: t.expose('baseAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The value that the amount is computed from; null where nothing is computed.',
    }),
    statedAmount: t.expose('statedAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount as stated; null where the tariff has it fixed or computed.',
    }),
    period: t.exposeString('period', { nullable: true, description: 'The time that is charged for, as given.' }),
    waived: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The amount that an exemption of the citizen would take off; null where none would.',
      resolve: ({ waived }) => (waived.isZero() ? null : waived),
    }),
    exemptionId: t.exposeID('exemption', {
      nullable: true,
      description: 'The docname of that exemption; null if there is none.',
      ...docname('exemption'),
    }),
    exemption: t.field({
      type: 'Exemption',
      nullable: true,
      description: 'The exemption that would take it off; null if none would, and for who may not read it.',
      ...needs('exemptions.read', { alone: true }),
      resolve: ({ exemption }, _args, call, info) => followIfAny(call, info, exemptionLoader, exemption),
    }),
    law: t.exposeString('law', {
      nullable: true,
      description: 'The law that the tariff stands in; null where there is a fee for each piece.',
    }),
    dueOn: t.expose('dueOn', {
      type: 'Date',
      nullable: true,
      description: "The day by which it would be to be paid, in the agency's country; null where the tariff has none.",
    }),
  }),
});

const QuoteType = builder.objectRef<Quote>('Quote').implement({
  description: 'Price of lines as an assessment would have them.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    totalAmount: t.expose('totalAmount', { type: 'Decimal', description: 'The sum of all lines.' }),
    dueOn: t.expose('dueOn', {
      type: 'Date',
      nullable: true,
      description: 'The first day by which a line would be to be paid; null where no tariff has one.',
    }),
    lines: t.field({ type: [QuotedLineType], description: 'The lines, in order.', resolve: ({ lines }) => [...lines] }),
  }),
});

builder.queryFields((t) => ({
  quote: t.field({
    type: QuoteType,
    description:
      'Says what lines would cost as an assessment, and writes nothing. No authentication required. It refuses lines that an assessment would refuse.' +
      listReasons(...LINE_REASONS),
    ...openInPart(),
    args: {
      ...lineArgs,
      citizen: t.arg.id({
        description:
          'The docname of who would be assessed, whose exemptions are then applied. It takes the scope `citizens.read`, and counts as a look-up of the citizen.',
        ...docname('citizen'),
      }),
      on: t.arg({
        type: 'Date',
        description:
          "The day of which the price is asked, `YYYY-MM-DD` in the agency's country; it may be past or to come. Default: now.",
      }),
    },
    resolve: (_root, args, call) => quote(call, args),
  }),
}));
