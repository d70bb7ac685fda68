import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { between, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { AUDIT_EVENTS, type AuditEvent } from '../../platform/audit/trail.ts';
import { type LogEntry, listLogs } from './find.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';

const AuditEventEnum = defineEnum<AuditEvent>('AuditEvent', 'What came of a request.', {
  'api.auth.granted': 'The caller was let in.',
  'api.auth.denied': 'The caller showed no credential that holds, or lacks the scope: 401 or 403.',
  'api.handler.error': 'The rail failed: 5xx.',
});

const LogEntryType = builder.objectRef<LogEntry>('AuditLogEntry').implement({
  description: 'A request made by your account.',
  fields: (t) => ({
    ts: t.expose('ts', { type: 'DateTime', description: 'When the request was answered.' }),
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
    key: t.exposeID('key', {
      nullable: true,
      description: 'The docname of the key that was used; null for a session.',
    }),
  }),
});

builder.queryFields((t) => ({
  myLogs: t.field({
    type: [LogEntryType],
    description: "Your account's requests of the last 90 days, newest first. Requires a session or a key.",
    ...needs('account'),
    args: {
      endpoint: t.arg.string({
        description: 'Search by part of the endpoint; not case-sensitive.',
        ...freeText(LONGEST_NAME),
      }),
      event: t.arg({
        type: AuditEventEnum,
        description: 'Filter by event: `api.auth.granted`, `api.auth.denied` or `api.handler.error`.',
        ...shape({ maxLength: 1_000, enum: AUDIT_EVENTS }),
      }),
      minStatus: t.arg.int({ description: 'Only requests with this HTTP status or higher.', ...between(0, 999) }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listLogs(call, args, args),
  }),
}));
