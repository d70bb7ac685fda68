import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { refuseAllButStaff } from '../../platform/access/viewer.ts';
import type { PageMail } from '../../generated/prisma/client.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { findPageMail } from './find.ts';
import { MOST_MAILS, localDay } from './days.ts';

export const EVERY = { day: 'Each day.', week: 'Each Monday.', month: 'Each first of a month.' } as const;
export type MailEvery = keyof typeof EVERY;

/** Pages of figures, in which nobody is named. */
const OF_FIGURES = /^\/(agency|oversight)([/?]|$)/;

/** Has the figures of a page mailed to the caller from the next day, Monday or first of a month on. */
export async function askForMail(
  call: Call,
  { address, every, language }: { readonly address: string; readonly every: MailEvery; readonly language: string },
): Promise<PageMail> {
  if (call.viewer.kind !== 'staff') throw refuseAllButStaff();
  if (!OF_FIGURES.test(address)) throw refuseValue('address', say`must be that of a page of figures`);
  const { actor } = call.viewer;
  const asked = guard`
    insert into page_mail (staff, address, every, language, created_at, sent_on)
    select ${actor}, ${address}, ${every}, ${language}, ${call.now()}, ${localDay(call)}
    where (select count(*) from page_mail where staff = ${actor} and address <> ${address}) < ${MOST_MAILS}
    on conflict (staff, address) do update set every = excluded.every, language = excluded.language
    returning staff`;
  if (!(await commit(call, { subject: address, guard: asked })))
    throw refuseValue('address', say`must not be more than ${MOST_MAILS} pages`);
  return (await findPageMail(call, address))!;
}

/** Has it mailed no more. Whether it was. */
export async function stopMail(call: Call, address: string): Promise<boolean> {
  if (call.viewer.kind !== 'staff') throw refuseAllButStaff();
  const stopped = guard`
    delete from page_mail where staff = ${call.viewer.actor} and address = ${address} returning staff`;
  return commit(call, { subject: address, guard: stopped });
}
