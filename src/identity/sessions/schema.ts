import type { ObjectRef } from '@pothos/core';
import { IntegratorType } from '../../accounts/integrators/integrator-schema.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { addAnomalySubject } from '../../collection/anomalies/subject.ts';
import { NodeType, defineNode, followToAny, typenameOf } from '../../graphql/graph/node.ts';
import { REASON, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/email.ts';
import { StaffType } from '../staff/schema.ts';
import {
  type OpenSession,
  SESSION_NAME,
  endSession,
  getSession,
  listSessions,
  listSessionsOf,
  sessionLoader,
} from './sessions.ts';

const SessionKind = builder.enumType('OpenSessionKind', {
  description: 'The kind of session.',
  values: {
    staff: { description: 'A session of a member of staff.' },
    integrator: { description: 'A session of an integrator.' },
  } as const,
});

const owners: ObjectRef<typeof builder.$inferSchemaTypes, object>[] = [IntegratorType, StaffType];

const SessionOwnerType = builder.unionType('SessionOwner', {
  description: 'Owner of a session.',
  types: owners,
  resolveType: typenameOf,
});

const sessionName = shape({
  pattern: SESSION_NAME.source,
  examples: ['SESSION-0f8fad5b-d9cb-469f-a165-70867728950e'],
});

const OpenSessionType = builder.objectRef<OpenSession>('OpenSession').implement({
  description: 'A session, as shown to operators.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier, `SESSION-<uuid>`, which tells nothing of the token.',
      ...sessionName,
    }),
    kind: t.expose('kind', {
      type: SessionKind,
      description: 'Kind of owner: a member of staff or an integrator.',
    }),
    ownerId: t.exposeID('owner', {
      description: 'The e-mail address of the member of staff, or the code of the integrator.',
    }),
    owner: t.field({
      type: SessionOwnerType,
      nullable: true,
      description: 'The member of staff or the integrator.',
      resolve: ({ owner }, _args, call, info) => followToAny(call, info, owner),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the session began.' }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last use by a member of staff, accurate to half a minute; null for integrators.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Time at which the session expires.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the session was ended; null if it was not.',
    }),
  }),
});

addAnomalySubject(OpenSessionType);

defineNode({
  typename: 'OpenSession',
  needs: ['operations.read'],
  matches: (id) => SESSION_NAME.test(id),
  loader: sessionLoader,
});

const OpenSessionConnection = defineConnection('OpenSession', OpenSessionType, 'sessions');

const sessionFilters = builder.args((t) => ({
  ended: t.boolean({
    required: true,
    defaultValue: false,
    description: 'If true, sessions that have ended are included.',
  }),
}));

const READERS = 'For admins, system managers and the oversight role.';

builder.objectField(IntegratorType, 'sessions', (t) =>
  t.field({
    description: `Its sessions, newest first. ${READERS}`,
    ...needs('operations.read', { alone: true }),
    ...connection(OpenSessionConnection, { most: 200, args: sessionFilters }),
    resolve: ({ code }, args, call) => listSessionsOf(call, code, args, args),
  }),
);

builder.objectField(StaffType, 'sessions', (t) =>
  t.field({
    description: `Their sessions, newest first. ${READERS}`,
    ...needs('operations.read', { alone: true }),
    ...connection(OpenSessionConnection, { most: 200, args: sessionFilters }),
    resolve: ({ email }, args, call) => listSessionsOf(call, email, args, args),
  }),
);

builder.queryFields((t) => ({
  openSessions: t.field({
    description: `Sessions, newest first. ${READERS}`,
    ...needs('operations.read'),
    ...connection(OpenSessionConnection, {
      most: 200,
      args: {
        owner: t.arg.string({
          description: 'Filter by owner: a staff e-mail address or an integrator code.',
          ...freeText(LONGEST_ADDRESS),
        }),
        ...sessionFilters,
      },
    }),
    resolve: (_root, args, call) => listSessions(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  endSession: t.field({
    type: OpenSessionType,
    description: 'Ends a session immediately. For admins and system managers.',
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id({ required: true, description: 'The ID of the session, `SESSION-<uuid>`.' }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => endSession(call, args),
    answerAgain: getSession,
  }),
}));
