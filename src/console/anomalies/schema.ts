import { listReasons } from '../../kernel/reasons.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { REASON, docnameArg, email, requiredText } from '../../graphql/input/forms.ts';
import { assignAnomaly } from '../../collection/anomalies/assign.ts';
import { commentAnomaly } from '../../collection/anomalies/comment.ts';
import { getAnomaly } from '../../collection/anomalies/find.ts';
import { AnomalyType } from '../../collection/anomalies/schema.ts';
import { MOST_SNOOZED_DAYS, snoozeAnomaly } from '../../collection/anomalies/snooze.ts';
import { staffLoader } from '../../identity/staff/find.ts';
import { StaffType } from '../../identity/staff/schema.ts';
import { readers, writers } from '../audience.ts';
import { listOperationsOf } from '../audit/find.ts';
import { OperatorEntryConnection } from '../audit/schema.ts';

builder.prismaObjectFields(AnomalyType, (t) => ({
  assignee: t.field({
    type: StaffType,
    nullable: true,
    description: 'The member of staff who looks into it; null if nobody does.',
    resolve: ({ assignee }, _args, call, info) => followIfAny(call, info, staffLoader, assignee),
  }),
  history: t.field({
    description: `Actions of operators on the anomaly, comments included, newest first. A comment is the \`reason\` of an entry \`anomaly.comment\`. ${readers}`,
    ...needs('audit.read', { alone: true }),
    ...connection(OperatorEntryConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listOperationsOf(call, name, args),
  }),
}));

builder.mutationFields((t) => {
  const id = t.arg.id(docnameArg('anomaly'));
  const common = {
    type: AnomalyType,
    ...needs('operations.write', { people: 'alone' }),
    answerAgain: getAnomaly,
  } as const;
  return {
    assignAnomaly: t.field({
      ...common,
      description: `Assigns an open anomaly to the member of staff who looks into it, an admin or system manager who is bound to no agency. ${writers}`,
      args: {
        id,
        assignee: t.arg.id({ required: true, description: 'The e-mail address that they log in by.', ...email }),
      },
      resolve: (_root, args, call) => assignAnomaly(call, args),
    }),
    commentAnomaly: t.field({
      ...common,
      description: `Adds a comment to the history of an anomaly. It cannot be changed or removed. ${writers}`,
      args: {
        id,
        comment: t.arg.string({
          required: true,
          description: 'The comment, at most 1,000 characters.',
          ...requiredText(),
        }),
      },
      resolve: (_root, args, call) => commentAnomaly(call, args),
    }),
    snoozeAnomaly: t.field({
      ...common,
      description: `Takes an open anomaly out of what needs attention until a day: out of \`openCauses\`, of the counts of the overview, and of \`anomalies(snoozed: false)\`. ${writers}${listReasons('not_independent')}`,
      args: {
        id,
        day: t.arg({
          type: 'Date',
          required: true,
          description: `The day (UTC) on which it needs attention again, at most ${MOST_SNOOZED_DAYS} days ahead. Today ends a snooze.`,
        }),
        reason: t.arg.string(REASON),
      },
      resolve: (_root, args, call) => snoozeAnomaly(call, args),
    }),
  };
});
