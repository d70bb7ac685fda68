import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { type ContentInput, auditable, readContent } from './content.ts';
import { type Notice, getNotice } from './find.ts';
import { audience, isForIntegrators, announce } from './announce.ts';

/** Content of a new notice besides its texts, by default. */
const DEFAULTS = { title: '', body: '', severity: 'info', channels: [], mdas: [], rooms: [], endsAt: null };

/** Tells users of the service something, from now or a later moment on. */
export async function publishNotice(
  call: Call,
  input: ContentInput & { readonly title: string; readonly body: string },
): Promise<Notice> {
  const at = call.now();
  const content = await readContent(call, { ...DEFAULTS, startsAt: at }, input);
  const name = await call.docnames.next('notice', at);
  const { actor } = call.viewer;
  const dates = { createdAt: at, updatedAt: at, withdrawnAt: null };
  const notice: Notice = { name, ...content, ...dates, createdBy: actor, revision: 1, messages: 0 };
  const { title, body, severity, channels, mdas, rooms, startsAt, endsAt } = content;
  const recipients = audience(isForIntegrators(content), mdas, at);
  const changed = guard`
    insert into service_notice (name, title, body, severity, channels, mdas, rooms, starts_at, ends_at,
      created_by, created_at, updated_at, messages)
    values (${name}, ${title}, ${body}, ${severity}, ${channels}, ${mdas}, ${rooms}, ${startsAt}, ${endsAt},
      ${actor}, ${at}, ${at}, (select count(*) from ${recipients})) returning name, 0 as sent`;
  const operated = { action: 'notice.publish', subject: name, before: null, after: auditable(content), reason: null };
  const steps = [announce(call, changed, recipients, 'notice.published', notice)];
  await commit(call, { subject: name, guard: changed, steps, operated });
  return getNotice(call, name);
}
