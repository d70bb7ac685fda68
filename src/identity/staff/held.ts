import { type Sql, sql } from '../../platform/database/sql.ts';

/** True if a member of staff, by the SQL of their address, has a second factor: an authenticator app or a passkey. */
export function holdsSecondFactor(staff: Sql): Sql {
  return sql`(
    exists (select from staff_second_factor f where f.staff = ${staff} and f.confirmed_at is not null)
    or exists (select from staff_passkey k where k.staff = ${staff}))`;
}
