import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { getAnomaly } from './find.ts';

/** Adds a comment to the history of an anomaly, open or resolved. The operators' audit keeps it. */
export async function commentAnomaly(call: Call, input: { id: string; comment: string }): Promise<Anomaly> {
  const comment = requireText('comment', input.comment);
  const { name } = await getAnomaly(call, input.id);
  const changed = guard`update anomaly set updated_at = ${call.now()} where name = ${name} returning name`;
  const operated = { action: 'anomaly.comment', subject: name, before: null, after: null, reason: comment };
  await commit(call, { subject: name, guard: changed, operated });
  return getAnomaly(call, name);
}
