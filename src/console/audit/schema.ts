import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode, followToAny } from '../../graphql/graph/node.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { ENTRY_NAME, type OperatorEntry, effectiveDayOf, operationLoader } from './find.ts';

const OperatorEntryType = builder.objectRef<OperatorEntry>('OperatorAuditEntry').implement({
  description: "An audit record of an operator's or supervisor's action.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier (docname), `AUDIT-<yyyy>-<mm>-<6 digits>`.',
      ...shape({ pattern: String.raw`^AUDIT-\d{4}-\d{2}-\d{6,18}$`, examples: ['AUDIT-2026-11-000100'] }),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time at which the action was performed.' }),
    actor: t.exposeString('actor', { description: 'The person or program that performed the action.' }),
    action: t.exposeString('action', { description: 'The action, such as `integrator.suspend`.' }),
    subjectId: t.exposeID('subject', {
      description: 'The ID of the record concerned, or the name of what is no record, such as a setting.',
    }),
    subject: t.field({
      type: NodeType,
      nullable: true,
      description:
        'The record concerned, as it is now, under the rules of the query for its type; null if the caller may see none.',
      resolve: ({ subject }, _args, call, info) => followToAny(call, info, subject),
    }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'The state before the change.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'The state after the change.' }),
    effectiveFrom: t.field({
      type: 'Date',
      nullable: true,
      description: 'The day from which the change holds, where it was made for a coming day; null: it held at once.',
      resolve: ({ after }) => effectiveDayOf(after),
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason given for it; null if none was.' }),
    requestId: t.exposeString('requestId', { description: 'The ID of the request (`X-Request-Id`).' }),
  }),
});

defineNode({
  typename: 'OperatorAuditEntry',
  needs: ['audit.read'],
  matches: (id) => ENTRY_NAME.test(id),
  loader: operationLoader,
});

export const OperatorEntryConnection = defineConnection('OperatorAuditEntry', OperatorEntryType, 'audit records');
