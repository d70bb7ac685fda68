import type { Role } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { postLetterToStaff } from '../../platform/mail/send.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** The mails to members of staff about a change to their login. */
const WHAT = {
  password: 'Your password was changed, and your other sessions have ended.',
  enrolled: 'A second factor was enrolled for your login, and your other sessions have ended.',
  removed: 'The authenticator app of your login was removed.',
  passkeyAdded: 'A passkey was added to your login, and your other sessions have ended.',
  passkeyRemoved: 'A passkey of your login was removed.',
  reset: 'An operator removed the second factor of your login, and your sessions have ended.',
  wrongCodes:
    'Somebody who has your password gave 10 wrong codes or passkeys for your second factor. If it was not you, choose a new password now: “Forgotten password” where you log in. After 50, the second factor is locked until you do.',
} as const;

/** The step that mails the member of staff whose `email` a step yields what was changed of their login. */
export function notifyOfChange(call: Call, changed: Step, what: keyof typeof WHAT): Step {
  return notify(call, changed, WHAT[what]);
}

/** Roles whose grant is mailed to people: they move money or decide on it, or give such roles. */
const TITLES: Partial<Readonly<Record<Role, string>>> = {
  clerk: 'a clerk',
  supervisor: 'a supervisor',
  admin: 'an admin',
  system_manager: 'a system manager',
  finance_officer: 'a finance officer',
};
const words = new Intl.ListFormat('en');

/** The step that mails the member of staff whose `email` a step yields which roles they have got; none for others. */
export function notifyOfRoles(call: Call, changed: Step, before: readonly string[], after: readonly string[]): Step[] {
  const titles = after.filter((role) => !before.includes(role)).flatMap((role) => TITLES[role as Role] ?? []);
  return titles.length === 0 ? [] : [notify(call, changed, `You are ${words.format(titles)} of the rail now.`)];
}

function notify(call: Call, changed: Step, what: string): Step {
  const expiresAt = new Date(call.now().getTime() + DAY_MS);
  const relation = sql`(select email as staff from ${changed}) changed_login`;
  return postLetterToStaff(call, 'staff/login_changed', relation, what, expiresAt);
}
