import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { type LogSeal, readLogSeals } from './find.ts';
import type { SealedLog } from './seal.ts';

const SealedLogEnum = defineEnum<SealedLog>('SealedLog', 'A log whose days are sealed.', {
  approval: 'Requests that take two people, and the decisions on them, each on its day.',
  citizen_access: "Views of citizens' data, each with its viewer.",
  money_received: 'Money that arrived and paid nothing.',
  operator_audit: 'Changes that operators and owners of accounts made.',
});

const LogSealType = builder.objectRef<LogSeal>('LogSeal').implement({
  description:
    'The seal of a day of a log. Kept outside the rail, it proves the rows of that day and of all before it.',
  fields: (t) => ({
    log: t.expose('log', { type: SealedLogEnum, description: 'The log whose rows it covers.' }),
    day: t.expose('day', { type: 'Date', description: 'The UTC day whose rows it covers.' }),
    rows: t.exposeInt('rows', { description: 'The number of its rows.' }),
    hash: t.exposeString('hash', {
      description:
        'The hex SHA-256 over five lines. These are the previous hash (or 64 zeros), the log, the day, the number of rows, and the hex SHA-256 over the row hashes.',
    }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'Time at which it was sealed.' }),
  }),
});

builder.queryFields((t) => ({
  logSeals: t.field({
    type: [LogSealType],
    description:
      'The seals of the logs on a day, in order of the logs. Keep them outside the rail, where its operators cannot write. For admins, system managers, auditors and the oversight role.',
    ...needs('audit.read'),
    args: { day: t.arg({ type: 'Date', description: 'The UTC day. Default: the last one that is sealed.' }) },
    resolve: (_root, { day }, call) => readLogSeals(call, day),
  }),
}));
