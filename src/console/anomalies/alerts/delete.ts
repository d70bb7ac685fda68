import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { auditable } from './content.ts';
import { getAlertRule } from './find.ts';

/** Removes a rule, with what it has not sent. */
export function deleteAlertRule(call: Call, id: string): Promise<true> {
  return retryUntilSettled(async () => {
    const rule = await getAlertRule(call, id);
    const { name, revision } = rule;
    const deleted = guard`delete from alert_rule where name = ${name} and revision = ${revision} returning name`;
    const operated = { action: 'alert_rule.delete', subject: name, before: auditable(rule), after: null, reason: null };
    return (await commit(call, { subject: name, guard: deleted, operated })) ? true : undefined;
  });
}
