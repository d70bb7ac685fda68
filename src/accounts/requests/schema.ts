import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { between, docname, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import type { MaskedRefusal } from '../../platform/audit/masked.ts';
import { AUDIT_EVENTS, type AuditEvent } from '../../platform/audit/trail.ts';
import { IntegratorType } from '../integrators/integrator-schema.ts';
import { keyLoader } from '../keys/find.ts';
import { ApiKeyType } from '../keys/schema.ts';
import { type DayOfRequests, MOST_USAGE_DAYS, countRecentRequests, countRequestsByDay } from './count.ts';
import { ENTRY_NAME, type RequestKind, listLogs, listLogsOf, logLoader } from './find.ts';
import type { LogEntry } from './entry.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';

const AuditEventEnum = defineEnum<AuditEvent>('AuditEvent', 'Outcome of a request.', {
  'api.auth.granted': 'The caller was let in.',
  'api.auth.denied': 'The caller showed no credential that holds, or lacks the scope: 401 or 403.',
  'api.handler.error': 'The rail failed: 5xx.',
});

const RefusalDetailType = builder.objectRef<MaskedRefusal['details'][number]>('RequestRefusalDetail').implement({
  description: 'Error in one value of a request, or in the object it named.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Path of the value, such as `lines[0].service`.' }),
    message: t.exposeString('message', { description: 'Explanation of the error.' }),
    code: t.exposeString('code', { nullable: true, description: 'Code of the reason, for programs.' }),
  }),
});

const RefusalType = builder.objectRef<MaskedRefusal>('RequestRefusal').implement({
  description: 'Response to a refused request; parts that could be personal data are masked as `…`.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The error code, such as `validation_failed`.' }),
    message: t.exposeString('message', { description: 'The message; empty if `details` says it.' }),
    details: t.field({
      type: [RefusalDetailType],
      description: 'Each value that was wrong.',
      resolve: ({ details }) => [...details],
    }),
  }),
});

const LogEntryType = builder.objectRef<LogEntry>('AuditLogEntry').implement({
  description: 'A request made by your account.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier: when the request was answered, an underscore and a UUID.',
      ...shape({
        pattern: ENTRY_NAME.source,
        examples: ['2026-11-21T09:25:00.000Z_0f8fad5b-d9cb-469f-a165-70867728950e'],
      }),
    }),
    ts: t.expose('ts', { type: 'DateTime', description: 'Time at which the request was answered.' }),
    httpStatus: t.exposeInt('httpStatus', { description: 'The HTTP status of the response.' }),
    endpoint: t.exposeString('endpoint', {
      description: 'Method and route template, such as `GET /v1/assessments/{name}`.',
    }),
    event: t.field({
      type: AuditEventEnum,
      description:
        'The outcome: `api.auth.granted`, `api.auth.denied` (missing credential or scope) or `api.handler.error` (5xx).',
      resolve: ({ event }) => event as AuditEvent,
    }),
    requestId: t.exposeString('requestId', { description: "The value of the response's `X-Request-Id` header." }),
    object: t.exposeString('object', {
      nullable: true,
      description:
        'The docname of what the request was about: in its address, or that of what it made. Null if that is no one record, and for requests before version 3.1.0.',
    }),
    refusal: t.field({
      type: RefusalType,
      nullable: true,
      description:
        'Response to the request, if it went to `/v1` and was refused. Parts that could be personal data are masked. Null for other requests, and for those before version 3.1.0.',
      resolve: ({ refusal }) => refusal as MaskedRefusal | null,
    }),
    keyId: t.exposeID('key', {
      nullable: true,
      description: 'The docname of the key that was used; null for a session.',
      ...docname('key'),
    }),
    key: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'The key that was used; null for a session.',
      resolve: ({ key }, _args, call, info) => followIfAny(call, info, keyLoader, key),
    }),
  }),
});

defineNode({
  typename: 'AuditLogEntry',
  needs: ['account'],
  matches: (id) => ENTRY_NAME.test(id),
  loader: logLoader,
});

const RequestKindEnum = defineEnum<RequestKind>('RequestKind', 'Kind of sender of a request.', {
  api: 'A program: a request to `/v1` or `/graphql`.',
  page: 'A browser: a page of the dashboard.',
});

const LogEntryConnection = defineConnection('AuditLogEntry', LogEntryType, 'requests');

const SEARCHED = [
  'endpoint',
  'kind',
  'object',
  'event',
  'minStatus',
  'key',
  'requestId',
  'fromDate',
  'toDate',
] as const;

const logFilters = builder.args((t) => ({
  endpoint: t.string({
    description: 'Search by part of the endpoint; not case-sensitive.',
    ...freeText(LONGEST_NAME),
  }),
  event: t.field({
    type: AuditEventEnum,
    description: 'Filter by event: `api.auth.granted`, `api.auth.denied` or `api.handler.error`.',
    ...shape({ maxLength: 1_000, enum: AUDIT_EVENTS }),
  }),
  minStatus: t.int({ description: 'Only requests with this HTTP status or higher.', ...between(0, 999) }),
  kind: t.field({ type: RequestKindEnum, description: 'Only requests of this kind. Default: of both.' }),
  object: t.id({ description: 'Only requests about this record (docname), since version 3.1.0.' }),
  key: t.id({ description: 'Only requests with this key (docname).' }),
  requestId: t.string({
    description: 'Only the request whose response had this `X-Request-Id` header.',
    ...freeText(LONGEST_NAME),
  }),
  fromDate: t.field({
    type: 'Date',
    description:
      'The first UTC day of the span, less than 366 days before `toDate`. Default: 90 days until `toDate`. Days that are over for longer than that are read from the archive; `unavailable` if it cannot be read.',
  }),
  toDate: t.field({ type: 'Date', description: 'The last UTC day of the span, included. Default: today.' }),
}));

const DayOfRequestsType = builder.objectRef<DayOfRequests>('DayOfRequests').implement({
  description: 'The requests of an account on a day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The UTC day, `YYYY-MM-DD`.' }),
    requests: t.exposeInt('requests', { description: 'The number of requests.' }),
  }),
});

builder.objectFields(IntegratorType, (t) => ({
  requestsByDay: t.field({
    type: [DayOfRequestsType],
    description:
      'The number of API requests on each of the last UTC days, including today, oldest first; pages of the dashboard are not counted. For its owner alone.',
    ...needs('account', { alone: true }),
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 30,
        description: `The number of days, 1 to ${MOST_USAGE_DAYS}.`,
        ...between(1, MOST_USAGE_DAYS),
      }),
    },
    resolve: ({ code }, { days }, call) => countRequestsByDay(call, code, days),
  }),
  requestsLast7Days: t.int({
    description:
      'The number of API requests in the last 7 UTC days, including today; pages of the dashboard are not counted. For its owner alone.',
    ...needs('account', { alone: true }),
    resolve: ({ code }, _args, call) => countRecentRequests(call, code),
  }),
  requests: t.field({
    description: 'Its requests of the last 90 days, or of the days asked for, newest first. For its owner alone.',
    ...needs('account', { alone: true }),
    ...connection(LogEntryConnection, {
      most: 200,
      args: logFilters,
      searched: SEARCHED,
    }),
    resolve: ({ code }, args, call) => listLogsOf(call, code, args, args),
  }),
}));

builder.queryFields((t) => ({
  myLogs: t.field({
    description:
      "Your account's requests of the last 90 days, or of the days asked for, newest first. Requires a session or a key.",
    ...needs('account'),
    ...connection(LogEntryConnection, {
      most: 200,
      args: logFilters,
      searched: SEARCHED,
    }),
    resolve: (_root, args, call) => listLogs(call, args, args),
  }),
}));
