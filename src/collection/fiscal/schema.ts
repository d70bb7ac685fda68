import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, docname, ownDocname } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { agencyLoader } from '../catalogue/find.ts';
import { eventLoader } from '../payments/find.ts';
import { TraceType } from '../payments/schema/history-schema.ts';
import { fiscalDocumentLoader, fiscalDocumentsOf, listFiscalDocumentsOf } from './find.ts';
import { assessmentField } from '../assessments/edges.ts';

export const FiscalDocumentType = builder.prismaObject('FiscalDocument', {
  description: 'A fiscal document, such as an electronic invoice, that a fiscal partner or an agency issued.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('fiscal')),
    issuer: t.exposeString('issuer', { description: 'Issuer of the document, by the name of the connection.' }),
    number: t.exposeString('number', { description: "The issuer's number, which stands for nothing else." }),
    assessmentId: t.exposeID('assessment', {
      description: 'The docname of the assessment that it is for.',
      ...docname('assessment'),
    }),
    assessment: t.field(assessmentField('The assessment that it is for.')),
    paymentEventId: t.exposeID('paymentEvent', {
      nullable: true,
      description: 'The docname of the payment event that it is for; null if it is for the whole assessment.',
      ...docname('event'),
    }),
    paymentEvent: t.field({
      type: 'PaymentEvent',
      nullable: true,
      description: 'The payment event that it is for; null if it is for the whole assessment. Scope `payments.read`.',
      ...needs('payments.read'),
      resolve: ({ paymentEvent }, _args, call, info) => followIfAny(call, info, eventLoader, paymentEvent),
    }),
    agencyId: t.exposeID('mda', {
      nullable: true,
      description: 'The code of the agency that received the payment; null if it is for the whole assessment.',
      ...agencyCode,
    }),
    agency: t.field({
      type: 'Agency',
      nullable: true,
      description: 'The agency that received the payment; null if it is for the whole assessment.',
      resolve: ({ mda }, _args, call, info) => followIfAny(call, info, agencyLoader, mda),
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'Address at which it can be read; null if the issuer gave none.',
    }),
    issuedAt: t.expose('issuedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was issued; null if the issuer did not say.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the rail learned of it.' }),
    updatedAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Equal to `createdAt`: documents never change.',
    }),
  }),
});

defineNode({
  typename: 'FiscalDocument',
  needs: ['assessments.read', 'payments.read'],
  matches: (id) => isDocname('fiscal', id),
  loader: fiscalDocumentLoader,
});

const FiscalDocumentConnection = defineConnection('FiscalDocument', FiscalDocumentType, 'fiscal documents');

builder.prismaObjectField('Assessment', 'fiscalDocuments', (t) =>
  t.field({
    description: 'The fiscal documents that were issued for it and its payments, newest first.',
    ...connection(FiscalDocumentConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listFiscalDocumentsOf(call, 'assessment', name, args),
  }),
);

builder.prismaObjectField('PaymentEvent', 'fiscalDocuments', (t) =>
  t.field({
    description: 'The fiscal documents that were issued for it, newest first.',
    ...connection(FiscalDocumentConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listFiscalDocumentsOf(call, 'payment_event', name, args),
  }),
);

builder.objectField(TraceType, 'fiscalDocuments', (t) =>
  t.field({
    type: ['FiscalDocument'],
    description:
      'The fiscal documents that were issued for the assessment and its payments, oldest first; at most 200.',
    resolve: ({ assessment }, _args, call) => fiscalDocumentsOf(call, assessment.name),
  }),
);
