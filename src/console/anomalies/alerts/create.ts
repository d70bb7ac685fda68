import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { type RuleInput, DEFAULTS, auditable, readRule } from './content.ts';
import { type AlertRule, getAlertRule } from './find.ts';

/** Has anomalies of some kind told to somebody from now on. */
export async function createAlertRule(call: Call, input: RuleInput): Promise<AlertRule> {
  const at = call.now();
  const rule = await readRule(call, DEFAULTS, input);
  const name = await call.docnames.next('alertRule', at);
  const changed = guard`
    insert into alert_rule (name, staff, role, staff_of, transport, kinds, severity, mdas, quiet_from, quiet_to, enabled,
      created_by, created_at, updated_at)
    values (${name}, ${rule.staff}, ${rule.role}, ${rule.staffOf}, ${rule.transport}, ${rule.kinds}, ${rule.severity},
      ${rule.mdas}, ${rule.quietFrom}, ${rule.quietTo}, ${rule.enabled}, ${call.viewer.actor}, ${at}, ${at}) returning name`;
  const operated = { action: 'alert_rule.create', subject: name, before: null, after: auditable(rule), reason: null };
  await commit(call, { subject: name, guard: changed, operated });
  return getAlertRule(call, name);
}
