import { type Database, type Sql, sql } from '../../platform/database/sql.ts';
import type { Cast } from './cast.ts';

/** The codes of so many integrators. */
export function codesOfIntegrators(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) =>
      `HISTORY-${String(index + 1)
        .padStart(6, '0')
        .replaceAll('0', 'A')
        .replaceAll('1', 'B')}`,
  );
}

/** The code of the integrator of a number, from 1 on. */
export function codeOfIntegrator({ integrators }: Cast, number: Sql): Sql {
  return sql`(${integrators}::text[])[${number}]`;
}

/** The address of the clerk of a number, from 1 on. */
export function addressOfClerk(number: Sql): Sql {
  return sql`('clerk' || ${number} || '@history.example')`;
}

/** A key of each integrator, by which its requests are logged. */
export function keyOfIntegrator(number: Sql): Sql {
  return sql`('KEY-2020-' || (900000 + ${number}))`;
}

/** The hash of no password: nobody signs in as them. */
const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Number of times a clerk has signed in. */
const SESSIONS = 100;

/** Makes up integrators with keys, of which nobody knows the secrets. */
export async function makeIntegrators(db: Database, cast: Cast, at: Date): Promise<void> {
  const { length: integrators } = cast.integrators;
  const code = codeOfIntegrator(cast, sql`i`);
  await db.rows(sql`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified,
      scopes, created_at, updated_at)
    select ${code}, 'Integrator ' || i, 'office' || i || '@history.example', 'Integrator ' || i, 'sandbox', 'free',
      'Active', true, '{citizens.read,assessments.write,payments.initiate}', ${at}, ${at}
    from generate_series(1, ${integrators}) i
    -- Made up before.
    on conflict do nothing`);
  await db.rows(sql`
    insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at, updated_at, lineage)
    select name, ${code}, 'Made up', 'rail_sandbox_', right(name, 4), sha256(gen_random_uuid()::text::bytea), 'active',
      '{citizens.read,assessments.write,payments.initiate}', ${at}, ${at}, name
    from generate_series(1, ${integrators}) i, lateral (select ${keyOfIntegrator(sql`i`)} as name) made
    -- Made up before.
    on conflict do nothing`);
}

/** Makes up clerks with sessions that are over. */
export async function makeClerks(db: Database, { clerks }: Cast, at: Date): Promise<void> {
  await db.rows(sql`
    insert into staff (email, name, roles, password_hash, active, created_at, updated_at)
    select ${addressOfClerk(sql`i`)}, 'Clerk ' || i, '{clerk}', ${NO_PASSWORD}, true, ${at}, ${at}
    from generate_series(1, ${clerks}) i
    -- Made up before.
    on conflict do nothing`);
  await db.rows(sql`
    insert into staff_session (id, staff, hash, created_at, last_seen_at, expires_at, ended_at, ended_by)
    select gen_random_uuid(), ${addressOfClerk(sql`i`)}, sha256(gen_random_uuid()::text::bytea), day,
      day + interval '7 hours', day + interval '8 hours', day + interval '8 hours', ${addressOfClerk(sql`i`)}
    from generate_series(1, ${clerks}) i, generate_series(1, ${SESSIONS}) back,
      lateral (select ${at}::timestamptz - back * interval '1 day' - i * interval '1 second' as day) worked
    order by day`);
}
