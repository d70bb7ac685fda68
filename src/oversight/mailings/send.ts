import { mustEnrol } from '../../identity/sessions/authenticate.ts';
import { holdsSecondFactor } from '../../identity/staff/held.ts';
import { viewStaff } from '../../platform/access/viewer.ts';
import { type Call, callOf } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { FiguresLetter } from '../../platform/mail/letters.ts';
import { postLetterToStaff } from '../../platform/mail/send.ts';
import { Refusal, rootOf } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { isDue, localDay } from './days.ts';

/** Writes the figures of a page as its reader may see them. */
type Write = (call: Call, address: string, language: string) => Promise<FiguresLetter>;

interface Due {
  readonly email: string;
  readonly roles: string[];
  readonly agencies: string[];
  readonly secondFactor: boolean;
  readonly address: string;
  readonly language: string;
}

/** Mails the pages whose day, week or month has begun, each as its reader sees it now; how many. Each is sent once. */
export async function mailPages(call: Call, write: Write): Promise<number> {
  const due = await call.db.rows<Due>(sql`
    select u.email, u.roles, u.agencies, m.address, m.language,
      ${holdsSecondFactor(sql`u.email`)} as "secondFactor"
    from page_mail m join staff u on u.email = m.staff and u.active where ${isDue(call)} order by u.email, m.address`);
  let sent = 0;
  for (const page of due) if (await mailPage(call, page, write)) sent += 1;
  return sent;
}

async function mailPage(call: Call, { address, language, ...staff }: Due, write: Write): Promise<boolean> {
  const viewer = viewStaff({ ...staff, id: '', mustEnrol: mustEnrol(call.config, staff) });
  const letter = await writeIfAllowed(callOf(call, viewer, call.requestId), address, language, write);
  const sent = guard`
    update page_mail m set sent_on = ${localDay(call)}
    where m.staff = ${staff.email} and m.address = ${address} and ${isDue(call)} returning m.staff`;
  const expiresAt = new Date(call.now().getTime() + DAY_MS);
  const steps = letter
    ? [postLetterToStaff(call, 'staff/figures', sql`${sent}`, JSON.stringify(letter), expiresAt)]
    : [];
  return (await commit(call, { subject: null, guard: sent, steps })) && letter !== null;
}

/** Null where the reader may not see the page any more, or what its address asks for is not there. */
async function writeIfAllowed(call: Call, address: string, language: string, write: Write) {
  try {
    return await write(call, address, language);
  } catch (error) {
    const root = rootOf(error);
    if (!(root instanceof Refusal)) throw error;
    call.log.info({ address, code: root.code }, 'a page was not mailed');
    return null;
  }
}
