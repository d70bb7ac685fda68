import { builder, needs } from '../../graphql/builder.ts';
import { between, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { AUDIT_EVENTS } from '../../platform/audit/trail.ts';
import { type LogEntry, listLogs } from './find.ts';
import { LONGEST_NAME } from '../../kernel/text.ts';

const LogEntryType = builder.objectRef<LogEntry>('AuditLogEntry').implement({
  description: 'One request of your account.',
  fields: (t) => ({
    ts: t.expose('ts', { type: 'DateTime', description: 'When it was answered.' }),
    httpStatus: t.exposeInt('httpStatus', { description: 'With which status.' }),
    endpoint: t.exposeString('endpoint', { description: 'Method and route template, such as `GET /v1/assessments/{name}`.' }),
    event: t.exposeString('event', {
      description: '`api.auth.granted`; `api.auth.denied`: refused for want of a credential or scope; `api.handler.error`: failed with a 5xx.',
    }),
    requestId: t.exposeString('requestId', { description: 'What its answer carried as `X-Request-Id`.' }),
    key: t.exposeID('key', { nullable: true, description: 'The key that was used; null for a session.' }),
  }),
});

builder.queryFields((t) => ({
  myLogs: t.field({
    type: [LogEntryType],
    description: 'The requests of your account in the last 90 days, newest first. By session or key.',
    ...needs('account'),
    args: {
      endpoint: t.arg.string({ description: 'Only those with this text in their endpoint; case is ignored.', ...freeText(LONGEST_NAME) }),
      event: t.arg.string({
        description: 'Only those with this event: `api.auth.granted`, `api.auth.denied` or `api.handler.error`.',
        ...shape({ enum: AUDIT_EVENTS }),
      }),
      minStatus: t.arg.int({ description: 'Only those with this HTTP status or a higher one.', ...between(0, 999) }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listLogs(call, args, args),
  }),
}));
