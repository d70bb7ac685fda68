import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { FiguresLetter } from '../../platform/mail/letters.ts';
import { postLetterToStaff } from '../../platform/mail/send.ts';
import { Refusal, rootOf } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { localDay } from '../../collection/catalogue/clock.ts';
import { isDue } from './days.ts';
import { READER, type Reader, callAs } from './reader.ts';

/** A mailed page, under the name of its view. */
export interface Mailed {
  readonly name: string;
  readonly address: string;
  readonly language: string;
}

/** Writes the figures of a page as its reader may see them. */
type Write = (call: Call, mailed: Mailed) => Promise<FiguresLetter>;

interface Due extends Mailed, Reader {
  readonly view: string;
}

/** Mails the views whose day, week or month has begun, each as its recipient sees it now; how many. Each is sent once. */
export async function mailViews(call: Call, write: Write): Promise<number> {
  const due = await call.db.rows<Due>(sql`
    select ${READER}, v.id as view, v.name, v.address, v.language
    from saved_view v join saved_view_recipient m on m.view = v.id join staff u on u.email = m.staff and u.active
    where ${isDue(call)} order by u.email, v.name, v.id`);
  let sent = 0;
  for (const one of due) if (await mailOne(call, one, write)) sent += 1;
  return sent;
}

async function mailOne(call: Call, { view, name, address, language, ...reader }: Due, write: Write): Promise<boolean> {
  // The figures of a letter are of one moment.
  const over = new AbortController();
  const reading = callAs(call, reader, over.signal);
  const letter = await writeIfAllowed(reading, { name, address, language }, write).finally(() => over.abort());
  const sent = guard`
    update saved_view_recipient m set sent_on = ${localDay(call)} from saved_view v
    where v.id = m.view and m.view = ${view} and m.staff = ${reader.email} and ${isDue(call)} returning m.staff`;
  const expiresAt = new Date(call.now().getTime() + DAY_MS);
  const steps = letter
    ? [postLetterToStaff(call, 'staff/figures', sql`${sent}`, JSON.stringify(letter), expiresAt)]
    : [];
  return (await commit(call, { subject: null, guard: sent, steps })) && letter !== null;
}

/** Null where the recipient may not see the page any more, or what its address asks for is not there. */
async function writeIfAllowed(call: Call, mailed: Mailed, write: Write) {
  try {
    return await write(call, mailed);
  } catch (error) {
    const root = rootOf(error);
    if (!(root instanceof Refusal)) throw error;
    call.log.info({ address: mailed.address, code: root.code }, 'a page was not mailed');
    return null;
  }
}
