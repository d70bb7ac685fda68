import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { type RuleInput, auditable, readRule } from './content.ts';
import { type AlertRule, getAlertRule } from './find.ts';

/** Changes whom a rule alerts to what. One that is switched off forgets what it has not sent. */
export function amendAlertRule(call: Call, input: RuleInput & { readonly id: string }): Promise<AlertRule> {
  return retryUntilSettled(async () => {
    const before = await getAlertRule(call, input.id);
    const rule = await readRule(call, before, input);
    const [was, is] = [auditable(before), auditable(rule)];
    if (isDeepStrictEqual(was, is)) return before;
    const { name, revision } = before;
    const changed = guard`
      update alert_rule set staff = ${rule.staff}, role = ${rule.role}, staff_of = ${rule.staffOf},
        transport = ${rule.transport}, kinds = ${rule.kinds}, severity = ${rule.severity}, mdas = ${rule.mdas},
        quiet_from = ${rule.quietFrom}, quiet_to = ${rule.quietTo}, enabled = ${rule.enabled},
        revision = ${revision + 1}, updated_at = ${call.now()}
      where name = ${name} and revision = ${revision} returning name, enabled`;
    const forgotten = step('forgotten')`
      delete from alert_waiting w using ${changed} c where w.rule = c.name and not (c.enabled and ${before.enabled})`;
    const operated = { action: 'alert_rule.amend', subject: name, before: was, after: is, reason: null };
    const done = await commit(call, { subject: name, guard: changed, steps: [forgotten], operated });
    return done ? getAlertRule(call, name) : undefined;
  });
}
