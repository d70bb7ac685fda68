import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { sql } from '../../platform/database/sql.ts';
import { postLetterToStaff } from '../../platform/mail/send.ts';
import { hashLinkToken, isLinkToken, makeSignInLink } from '../../accounts/sessions/tokens.ts';
import { type Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Purpose of a link that is mailed to staff. */
export type LinkKind = 'invitation' | 'password_reset';

const TTL_MS: Readonly<Record<LinkKind, number>> = {
  invitation: 24 * 3_600_000,
  password_reset: 3_600_000,
};
/** Days for which the number of links mailed to somebody is known. */
const LINK_DAYS = 2;

/**
 * The steps that mail a link to the member of staff in the column `staff` of a step, and void the earlier ones of its
 * kind. Where the column is null, a link is written that opens nothing, and nobody gets it.
 */
export function mailLink(
  call: Call,
  kind: LinkKind,
  to: Step,
  { known = true, returnTo = null }: { readonly known?: boolean; readonly returnTo?: string | null } = {},
): Step[] {
  const { id, token, hash } = makeSignInLink();
  const at = call.now();
  const expiresAt = new Date(at.getTime() + TTL_MS[kind]);
  const voided = step('voided')`
    update staff_link l set used_at = ${at} from ${to} t
    where l.staff = t.staff and l.kind = ${kind} and l.used_at is null and l.id <> ${id}::uuid`;
  const linked = step('linked')`
    insert into staff_link (id, kind, staff, hash, known, return_to, created_at, expires_at)
    select ${id}::uuid, ${kind}, t.staff, ${hash}, ${known}, ${returnTo}, ${at}::timestamptz, ${expiresAt}::timestamptz from ${to} t
    returning staff`;
  return [voided, postLetterToStaff(call, `staff/${kind}`, sql`${linked}`, token, expiresAt)];
}

/** The step that voids all links of the member of staff whose `email` a step yields. */
export function voidLinks({ now }: Pick<Call, 'now'>, changed: Step): Step {
  return step('voided')`
    update staff_link l set used_at = ${now()} from ${changed} c where l.staff = c.email and l.used_at is null`;
}

/** A link that still works, with whose it is. */
export interface Link {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Path that its owner was on their way to. */
  readonly returnTo: string | null;
}

/** The link of a token; refused where it does not work any more, or never did. */
export async function getLink({ db, now }: Call, kind: LinkKind, token: string): Promise<Link> {
  const row = isLinkToken(token)
    ? await db.row<Link>(sql`
        select l.id, u.email, u.name, l.return_to as "returnTo" from staff_link l join staff u on u.email = l.staff
        where l.hash = ${hashLinkToken(token)} and l.kind = ${kind} and l.used_at is null and l.expires_at > ${now()}`)
    : null;
  if (!row) throw refuseLink();
  return row;
}

/** The path that the receiver of a link wanted, used or not. */
export async function findReturn({ db }: Pick<Call, 'db'>, token: string): Promise<string | null> {
  const row = await db.row<{ returnTo: string | null }>(sql`
    select return_to as "returnTo" from staff_link where hash = ${hashLinkToken(token)}`);
  return row?.returnTo ?? null;
}

/** The refusal of a link that does not work. */
export function refuseLink(): Refusal {
  return refuseBecause('link_not_valid', 'The link has expired, was used, or was replaced by another', 'token');
}

/** Forgets links that have lapsed; how many. */
export async function purgeLinks(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - LINK_DAYS * DAY_MS);
  return purgeRows(purging, 'staff_link', sql`expires_at < ${before}`);
}
