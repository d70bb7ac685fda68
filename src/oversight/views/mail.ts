import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseValues } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { localDay } from '../../collection/catalogue/clock.ts';
import { type SavedView, getView, refuseView } from './find.ts';

export const EVERY = {
  day: 'Each day of the week.',
  week: 'Each Monday, once a week.',
  month: 'Each first of a month.',
} as const;
export type MailEvery = keyof typeof EVERY;

interface Mailing {
  readonly id: string;
  readonly every: MailEvery;
  readonly recipients: readonly string[];
  readonly language: string;
}

/** Has one of the caller's views mailed to these staff alone, from the next day, Monday or first of a month on. */
export async function mailView(call: Call, { id, every, recipients, language }: Mailing): Promise<SavedView> {
  if ((await getView(call, id)).owner !== call.viewer.actor) throw refuseView();
  const named = [...new Set(recipients.map((email) => email.trim().toLowerCase()))];
  const known = await call.db.rows<{ email: string }>(sql`
    select email from staff where active and email = any(${named})`);
  const unknown = named.filter((email) => !known.some((one) => one.email === email));
  if (unknown.length > 0)
    throw refuseValues(unknown.map((email) => ({ path: 'recipients', message: say`no active staff has ${email}` })));
  const mailed = guard`
    update saved_view set every = ${every}, language = ${language}, updated_at = ${call.now()}
    where id::text = ${id} and owner = ${call.viewer.actor} returning id`;
  const dropped = step('dropped')`
    delete from saved_view_recipient m using ${mailed} v where m.view = v.id and not m.staff = any(${named})`;
  const added = step('added')`
    insert into saved_view_recipient (view, staff, sent_on)
    select v.id, u.email, ${localDay(call)} from ${mailed} v, staff u where u.email = any(${named})
    -- They receive it already.
    on conflict (view, staff) do nothing`;
  if (!(await commit(call, { subject: id, guard: mailed, steps: [dropped, added] }))) throw refuseView();
  return getView(call, id);
}

/** Stops the mail of a view: all of it for its owner, and their own for others who get it. */
export async function stopMail(call: Call, id: string): Promise<true> {
  const { actor } = call.viewer;
  const stopped = guard`
    update saved_view v set every = case when v.owner = ${actor} then null else v.every end, updated_at = ${call.now()}
    where v.id::text = ${id} and exists (
      select from saved_view_recipient m where m.view = v.id and ${actor} in (v.owner, m.staff))
    returning v.id, v.owner`;
  const dropped = step('dropped')`
    delete from saved_view_recipient m using ${stopped} v where m.view = v.id and ${actor} in (v.owner, m.staff)`;
  if (!(await commit(call, { subject: id, guard: stopped, steps: [dropped] }))) throw refuseView();
  return true;
}
