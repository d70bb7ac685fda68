import type { Call } from '../call/call.ts';
import type { Step } from '../change/step.ts';
import { sql } from '../database/sql.ts';
import { postLetter } from './send.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** The step that writes to the owner of an account, whose `code` a step yields, what was changed of it, and by what. */
export function announceChange(call: Call, changed: Step, what: string): Step {
  const { key } = call.viewer;
  const by = key === null ? 'by somebody who was signed in to the dashboard' : `with the key ${key}`;
  const text = `${what} It was changed ${by}.`;
  const relation = sql`(select code as integrator from ${changed}) changed_account`;
  return postLetter(call, 'profile_changed', relation, text, new Date(call.now().getTime() + DAY_MS));
}
