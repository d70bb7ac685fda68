import { randomUUID } from 'node:crypto';
import { COOKIES, setCookie } from '../../platform/access/cookies.ts';
import { hashSessionToken, makeSessionToken } from '../../platform/access/session-token.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, statement, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { noteLogin } from '../integrators/change.ts';
import { makeSignInLink } from './tokens.ts';

const SESSION_DAYS = 14;
/** Most sessions of an account at a time; with one more, the oldest is over. */
const MOST_SESSIONS = 10;

interface OpenedSession {
  readonly steps: readonly Step[];
  /** Sets its cookie. */
  readonly take: () => void;
}

/** The steps that open a session for the link in the columns `id` and `integrator` of a step. */
export function openAccountSession(call: Call, link: Step): OpenedSession {
  const at = call.now();
  const cookie = makeSessionToken();
  const expiresAt = new Date(at.getTime() + SESSION_DAYS * DAY_MS);
  const opened = step('opened')`
    insert into session (id, integrator, hash, magic_link, created_at, expires_at)
    select ${randomUUID()}, integrator, ${hashSessionToken(cookie)}, id, ${at}, ${expiresAt} from ${link}`;
  const crowded = step('crowded')`
    update session set ended_at = ${at} where id in (
      select s.id from session s join ${link} l on l.integrator = s.integrator
      where s.ended_at is null and s.expires_at > ${at}
      order by s.created_at desc, s.id desc offset ${MOST_SESSIONS - 1})`;
  const take = () =>
    void call.transport.cookies.push(setCookie(call, COOKIES.integrator, cookie, SESSION_DAYS * 86_400));
  return { steps: [opened, crowded], take };
}

/** Opens a session of an account whose address was proved just now by a code: as if by a link that was used at once. */
export async function openFirstSession(call: Call, integrator: string): Promise<void> {
  const at = call.now();
  const { id, hash } = makeSignInLink();
  const linked = step('linked')`
    insert into magic_link (id, integrator, hash, created_at, expires_at, consumed_at)
    select ${id}::uuid, code, ${hash}, ${at}, ${at}, ${at} from integrator
    where code = ${integrator} and status = 'Active' and email_verified
    returning id, integrator`;
  const { steps, take } = openAccountSession(call, linked);
  const others = [linked, ...steps, noteLogin(linked, at)];
  if (await call.db.row(statement(sql`select integrator from ${linked}`, others))) take();
}
