import { randomUUID } from 'node:crypto';
import type { Call, Tools } from '../call/call.ts';
import { type Step, step } from '../change/step.ts';
import { type Sql, json, raw, sql } from '../database/sql.ts';
import { type LetterKind, compose } from './letters.ts';

/** Tries of the job, which waits e^n seconds after the nth: 18 minutes in all, longer than any code or link lives. */
const MOST_TRIES = 7;
/** Letters can carry codes that soon expire: other jobs that wait, however many, come after them. */
const BEFORE_OTHERS = -10;

/**
 * Mails each integrator of a relation that has a column `integrator`, by a job that is queued with the statement that
 * this is a step of. What is secret in the letter is sealed until it is sent. It is sent at once, or at the moment
 * that `when` yields.
 */
export function postLetter(
  rail: Tools,
  kind: LetterKind,
  relation: Sql,
  secret: string,
  expiresAt: Date,
  when: Sql = sql`null::timestamptz`,
): Step {
  return post(rail, 'integrator', kind, { relation, secret, expiresAt, when });
}

/** Mails each member of staff of a relation that has a column `staff` likewise, at once. */
export function postLetterToStaff(rail: Tools, kind: LetterKind, relation: Sql, secret: string, expiresAt: Date): Step {
  return post(rail, 'staff', kind, { relation, secret, expiresAt, when: sql`null::timestamptz` });
}

/** Mails each of these members of staff one letter, the same to all, at once, if a step yields a row. */
export function postLetterToAll(
  rail: Tools,
  kind: LetterKind,
  changed: Step,
  {
    staff,
    secret,
    expiresAt,
  }: { readonly staff: readonly string[]; readonly secret: string; readonly expiresAt: Date },
): Step[] {
  const letters = staff.map((email) => ({ staff: email, secret }));
  return postLetters(rail, kind, changed, letters, expiresAt);
}

/** A letter to a member of staff. */
export interface Posted {
  readonly staff: string;
  readonly secret: string;
}

/** The step that mails letters of one kind at once, if a step yields a row; none where there are no letters. */
export function postLetters(
  { vault, now }: Tools,
  kind: LetterKind,
  changed: Step,
  letters: readonly Posted[],
  expiresAt: Date,
): Step[] {
  if (letters.length === 0) return [];
  const rows = letters.map(({ staff, secret }) => {
    const id = randomUUID();
    return { id, staff, sealed: vault.seal('mail', id, secret).toString('hex') };
  });
  return [
    step(`posted_${kind.replaceAll('/', '_')}`)`
    insert into mail (id, kind, staff, sealed, created_at, expires_at)
    select l.id, ${kind}, l.staff, decode(l.sealed, 'hex'), ${now()}, ${expiresAt}
    from ${changed}, jsonb_to_recordset(${json(rows)}::jsonb) as l (id uuid, staff text, sealed text)
    returning graphile_worker.add_job('send_mail', json_build_object('id', id), job_key := 'mail:' || id,
      priority := ${BEFORE_OTHERS}, max_attempts := ${MOST_TRIES})`,
  ];
}

interface Posting {
  readonly relation: Sql;
  readonly secret: string;
  readonly expiresAt: Date;
  readonly when: Sql;
}

function post(
  { vault, now }: Tools,
  recipient: 'integrator' | 'staff',
  kind: LetterKind,
  { relation, secret, expiresAt, when }: Posting,
): Step {
  const id = randomUUID();
  return step('posted')`
    insert into mail (id, kind, ${raw(recipient)}, sealed, created_at, expires_at)
    select ${id}, ${kind}, ${raw(recipient)}, ${vault.seal('mail', id, secret)}, ${now()}, ${expiresAt} from ${relation}
    returning graphile_worker.add_job('send_mail', json_build_object('id', id), job_key := 'mail:' || id,
      run_at := ${when}, priority := ${BEFORE_OTHERS}, max_attempts := ${MOST_TRIES})`;
}

interface Row {
  readonly kind: LetterKind;
  readonly sealed: Buffer | null;
  readonly expiresAt: Date;
  readonly sentAt: Date | null;
  readonly to: string | null;
  readonly name: string | null;
  readonly integrator: string | null;
}

/** Sends what was posted; at least once. What is of use to nobody any more, or was for nobody, is not sent. */
export async function sendMail({ rail, db, vault, origin, now }: Call, id: string): Promise<number> {
  const row = await db.row<Row>(sql`
    select m.kind, m.sealed, m.expires_at as "expiresAt", m.sent_at as "sentAt",
      coalesce(i.contact_email, u.email) as to, coalesce(i.contact_name, i.display_name, u.name) as name,
      m.integrator
    from mail m left join integrator i on i.code = m.integrator left join staff u on u.email = m.staff
    where m.id = ${id}`);
  if (!row || row.sentAt !== null || row.sealed === null) return 0;
  const { to } = row;
  const wanted = to !== null && row.expiresAt > now();
  if (wanted) {
    const secret = vault.open('mail', id, row.sealed);
    if (secret === null) throw new Error(`Mail ${id} was sealed under a key that this rail does not have`);
    const { integrator, expiresAt } = row;
    const letter = compose(row.kind, { name: row.name!, secret, origin, integrator, expiresAt });
    await rail.mailer.send({ to, ...letter });
  }
  await db.row(sql`update mail set sealed = null, sent_at = ${wanted ? now() : null} where id = ${id}`);
  return wanted ? 1 : 0;
}
