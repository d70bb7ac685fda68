import type { AlertRule } from '../../../generated/prisma/client.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../../platform/reading/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

export type { AlertRule };

const ruleSelect = sql`select ${columnsOf('AlertRule')} from alert_rule r`;

/** The rules by which operators are alerted, newest first. */
export function listAlertRules(call: Call, page: PageArgs): Promise<Page<AlertRule>> {
  return readPage(call, { select: ruleSelect, table: 'alert_rule', ...newestFirst, where: [], filters: [] }, page);
}

/** Rules by docname, for operators. */
export const alertRuleLoader = loadByName<AlertRule>(async ({ db, viewer }, names) =>
  findRefusal(viewer, 'operations.read') ? [] : db.rows(sql`${ruleSelect} where r.name = any(${names})`),
);

export async function getAlertRule(call: Call, name: string): Promise<AlertRule> {
  const rule = await alertRuleLoader.load(call, name);
  if (!rule) throw new Refusal('not_found', say`The alert rule does not exist`);
  return rule;
}
