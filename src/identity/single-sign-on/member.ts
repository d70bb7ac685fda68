import { actAsSystem } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { forbidBecause } from '../../kernel/refusal.ts';
import { endSessionsOf } from '../sessions/end.ts';
import type { Person } from './person.ts';
import { refuseClosed } from './refusals.ts';

/** The record of staff that a person signs in to. */
interface Member {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly agencies: readonly string[];
  readonly active: boolean;
  readonly updatedAt: Date;
  /** True if nobody signs in to it at the provider. */
  readonly closed: boolean;
  /** Subject of its owner at the provider; null if nobody there has signed in to it yet. */
  readonly subject: string | null;
}

/** Under whose name operators see what the claims of the provider changed. */
const SIGN_ON = actAsSystem('single sign-on');

/**
 * Makes a person whom the provider knows a member of staff, or gives them the roles and agencies that they have there
 * now; answers under which address. Matched by the provider's subject. The e-mail counts only at the first sign-in, so a
 * reassigned address gives no access. People without a role are let in nowhere, and their sessions end.
 */
export function storePerson(call: Call, asked: Person): Promise<string> {
  const acting = { ...call, viewer: SIGN_ON };
  return retryUntilSettled(async () => {
    const member = await findMember(acting, asked);
    const own = member?.subject === asked.subject;
    if (member && (member.closed || (member.subject !== null && !own))) throw refuseClosed();
    const person = await withKnownAgencies(acting, asked);
    if (!person.mapped) {
      const { groups, claims } = person;
      call.log.warn({ request_id: call.requestId, groups, claims }, 'A person signs on whose groups have no role');
      // That the provider did not say says nothing about what they may do.
      if (groups === null)
        throw forbidBecause('sign_on_unmapped', 'The identity provider did not say which groups you are in', 'sign_on');
      if (member && own) await lockOut(acting, member);
      throw forbidBecause('sign_on_unmapped', 'None of your groups has a role here', 'sign_on');
    }
    if (person.email === null)
      throw forbidBecause('sign_on_unverified', 'Your e-mail address is not verified', 'sign_on');
    const email = member?.email ?? person.email;
    const same = member !== null && own && isSame(member, person);
    const changed = member ? amend(acting, member, person, same) : make(acting, email, person);
    const operated = {
      action: 'staff.sign_on',
      subject: email,
      before: member && factsOf(member),
      after: factsOf(person),
      reason: null,
    };
    const done = await commit(acting, {
      subject: null,
      guard: changed,
      steps: [bind(acting, changed, person)],
      operated: same ? [] : [operated],
    });
    return done ? email : undefined;
  });
}

function findMember({ db }: Call, { issuer, subject, email }: Person): Promise<Member | null> {
  return db.row<Member>(sql`
    select u.email, u.name, u.roles, u.agencies, u.active, u.updated_at as "updatedAt", i.subject,
      u.break_glass or u.deactivated_at is not null as closed
    from staff u left join staff_identity i on i.staff = u.email and i.issuer = ${issuer}
    where u.email = coalesce(
      (select staff from staff_identity where issuer = ${issuer} and subject = ${subject}), ${email}::text)`);
}

/** The person with those of their agencies that there are; who was bound to none of them would see all. */
async function withKnownAgencies({ db }: Call, person: Person): Promise<Person> {
  if (person.agencies.length === 0) return person;
  const rows = await db.rows<{ name: string }>(
    sql`select name from mda where name = any(${[...person.agencies]}) order by name`,
  );
  return { ...person, agencies: rows.map(({ name }) => name), mapped: person.mapped && rows.length > 0 };
}

function make({ now }: Call, email: string, { name, roles, agencies }: Person): Step {
  return guard`
    insert into staff (email, name, roles, agencies, active, created_at, updated_at)
    values (${email}, ${name}, ${[...roles]}, ${[...agencies]}, true, ${now()}, ${now()})
    -- A login at the same moment made the same person: it is read again.
    on conflict (email) do nothing returning email`;
}

/** Happens to the record as it was read, or not at all. */
function amend({ now }: Call, member: Member, { name, roles, agencies }: Person, same: boolean): Step {
  return guard`
    update staff set name = ${name}, roles = ${[...roles]}, agencies = ${[...agencies]}, active = true,
      updated_at = ${same ? member.updatedAt : now()}
    where email = ${member.email} and updated_at = ${member.updatedAt} and deactivated_at is null and not break_glass
    returning email`;
}

function bind({ now }: Call, changed: Step, { issuer, subject }: Person): Step {
  return step('bound')`
    insert into staff_identity (issuer, subject, staff, created_at, signed_in_at)
    select ${issuer}, ${subject}, c.email, ${now()}::timestamptz, ${now()}::timestamptz from ${changed} c
    on conflict (issuer, subject) do update set signed_in_at = excluded.signed_in_at`;
}

/** Ends the sessions of somebody whom the provider gives no role here any more. */
async function lockOut(call: Call, { email }: Member): Promise<void> {
  const changed = guard`update staff set generation = generation + 1 where email = ${email} returning email`;
  const operated = {
    action: 'staff.sign_on_refused',
    subject: email,
    before: null,
    after: null,
    reason: 'None of their groups has a role here',
  };
  await commit(call, {
    subject: null,
    guard: changed,
    steps: [endSessionsOf(changed, call.viewer.actor, call.now())],
    operated,
  });
}

type Facts = Pick<Member, 'name' | 'roles' | 'agencies'>;

function factsOf({ name, roles, agencies }: Facts): Facts {
  return { name, roles: roles.toSorted(), agencies: agencies.toSorted() };
}

function isSame(member: Member, person: Person): boolean {
  return member.active && JSON.stringify(factsOf(member)) === JSON.stringify(factsOf(person));
}
