import { isDeepStrictEqual } from 'node:util';
import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { LONGEST_REASON, readText, requireText } from '../../kernel/text/free-text.ts';
import { type ContentInput, auditable, readContent } from './content.ts';
import { type Notice, getNotice } from './find.ts';
import { audience, isForIntegrators, announce } from './announce.ts';

/** Changes what a notice says, to whom or when; integrators whom it is for are notified of the new version. */
export function amendNotice(
  call: Call,
  input: ContentInput & { readonly id: string; readonly reason?: string | null | undefined },
): Promise<Notice> {
  const reason = readText('reason', input.reason, LONGEST_REASON);
  return changeNotice(call, input.id, async (before) => {
    if (before.withdrawnAt !== null)
      throw refuseBecause('notice_withdrawn', `${before.name} was withdrawn; publish a new notice`);
    const content = await readContent(call, before, input);
    const [was, is] = [auditable(before), auditable(content)];
    if (isDeepStrictEqual(was, is)) return null;
    const after: Notice = { ...before, ...content };
    return { after, type: 'notice.published', operated: { action: 'notice.amend', before: was, after: is, reason } };
  });
}

/** Takes a notice back: nobody sees it any more. One that was withdrawn before is answered as it is. */
export function withdrawNotice(call: Call, input: { readonly id: string; readonly reason: string }): Promise<Notice> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return changeNotice(call, input.id, async (before) => {
    if (before.withdrawnAt !== null) return null;
    const withdrawnAt = call.now();
    const [was, is] = [{ withdrawn_at: null }, { withdrawn_at: withdrawnAt }];
    const after: Notice = { ...before, withdrawnAt };
    return { after, type: 'notice.withdrawn', operated: { action: 'notice.withdraw', before: was, after: is, reason } };
  });
}

interface Amendment {
  readonly after: Notice;
  readonly type: 'notice.published' | 'notice.withdrawn';
  readonly operated: Omit<Operated, 'subject'>;
}

/** Changes a notice as it was read, and sends the messages; null: there is nothing to change. */
function changeNotice(
  call: Call,
  name: string,
  decide: (before: Notice) => Promise<Amendment | null>,
): Promise<Notice> {
  return retryUntilSettled(async () => {
    const before = await getNotice(call, name);
    const amendment = await decide(before);
    if (!amendment) return before;
    const { type, operated } = amendment;
    const after: Notice = { ...amendment.after, updatedAt: call.now(), revision: before.revision + 1 };
    const { title, body, severity, channels, mdas, rooms, startsAt, endsAt, withdrawnAt, updatedAt, revision } = after;
    // Integrators that got it hear too that it is for others now.
    const concerned = before.mdas.length > 0 && mdas.length > 0 ? [...before.mdas, ...mdas] : [];
    const recipients = audience(isForIntegrators(before) || isForIntegrators(after), concerned, updatedAt);
    const changed = guard`
      update service_notice n set title = ${title}, body = ${body}, severity = ${severity}, channels = ${channels},
        mdas = ${mdas}, rooms = ${rooms}, starts_at = ${startsAt}, ends_at = ${endsAt}, withdrawn_at = ${withdrawnAt},
        updated_at = ${updatedAt}, revision = ${revision}, messages = n.messages + a.many
      from (select count(*)::int as many from ${recipients}) a
      where n.name = ${name} and n.revision = ${before.revision} returning n.name, n.messages - a.many as sent`;
    const steps = [announce(call, changed, recipients, type, after)];
    const change = { subject: name, guard: changed, steps, operated: { ...operated, subject: name } };
    return (await commit(call, change)) ? getNotice(call, name) : undefined;
  });
}
