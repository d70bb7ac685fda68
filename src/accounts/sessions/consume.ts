import { rememberNetwork } from '../../platform/call/networks.ts';
import type { Call } from '../../platform/call/call.ts';
import { guard, statement } from '../../platform/change/step.ts';
import { empty, sql } from '../../platform/database/sql.ts';
import { noteLogin } from '../integrators/change.ts';
import { hashLinkToken, isLinkToken } from './tokens.ts';
import { openAccountSession } from './open.ts';

export interface Consumption {
  /** Address that the browser goes on to. */
  readonly location: string;
}

const refused: Consumption = { location: '/signin/expired' };

/**
 * Opens a session for a person who follows a link in their mail. The link works once, however many follow it at a time,
 * and only for a person who went there: a page that embeds it, or sends its visitors there, cannot sign them in to an
 * account of its choice, nor replace the session of another account that is open in their browser. A program that looks
 * at mail must not use it up: who asks for a page, and may be one, is asked there whether they mean it.
 */
export async function consumeLink(call: Call, token: string | null | undefined): Promise<Consumption> {
  if (!token || !isLinkToken(token) || !call.transport.source.deliberate) return refused;
  if (call.transport.source.unmarked) return { location: `/signin/confirm?token=${token}` };
  const at = call.now();
  const { viewer, transport } = call;
  const only = transport.source.foreign && viewer.kind === 'session' ? sql`and i.code = ${viewer.integrator}` : empty;
  const changed = guard`
      update magic_link l set consumed_at = ${at} from integrator i
      where l.hash = ${hashLinkToken(token)} and l.consumed_at is null and l.expires_at > ${at}
        and i.code = l.integrator and i.status = 'Active' and i.email_verified ${only}
      returning l.id, l.integrator, l.mailbox as holder, l.return_to`;
  const { steps, take } = openAccountSession(call, changed);
  const others = [...steps, rememberNetwork(call, sql`${changed}`), noteLogin(changed, at)];
  const link = await call.db.row<{ returnTo: string | null }>(
    statement(sql`select return_to as "returnTo" from ${changed}`, others),
  );
  if (!link) return refused;
  take();
  return { location: link.returnTo ?? '/dashboard' };
}
