import type { Config } from '../../../platform/config/config.ts';
import { RUNTIME_ROLE } from '../../../platform/database/migration/runtime-role.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type Check, type Finding, failed, ok, warning } from './check.ts';
import type { Session } from './session.ts';

interface Rights {
  readonly user: string;
  readonly superuser: boolean;
  readonly runtime: boolean;
  readonly oversight: boolean;
  readonly owns: string | null;
  readonly rewrites: string | null;
}

/** Checks the rights of the database role: with `MIGRATE=off` it is to change neither the schema nor the logs. */
export function rightsCheck(session: Session, { mode, migrate }: Config): Check {
  const run = async ({ db }: Awaited<Session['reached']>): Promise<readonly Finding[]> => {
    const row = await db.row<Rights>(sql`
      with tables as (
        select c.oid, c.oid::regclass::text as name, pg_has_role(c.relowner, 'USAGE') as owned,
          exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = to_regproc('refuse_rewriting')) as append_only
        from pg_class c where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
      )
      select current_user as user,
        (select rolsuper from pg_roles where rolname = current_user) as superuser,
        coalesce(pg_has_role(to_regrole(${RUNTIME_ROLE}), 'MEMBER'), false) as runtime,
        coalesce(pg_has_role(to_regrole('rail_oversight'), 'MEMBER'), false) as oversight,
        (select min(name) from tables where owned) as owns,
        (select min(name) from tables where append_only and has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')) as rewrites`);
    const { user, superuser, runtime, oversight, owns, rewrites } = row!;
    const wrong = [
      ...(superuser && mode === 'live'
        ? [warning(`${user} is a superuser, which can switch off the protection of records`, 'Use a role that is none')]
        : []),
      ...(oversight
        ? []
        : [failed(`${user} is no member of rail_oversight`, `Run: grant rail_oversight to "${user}"`)]),
      ...(migrate || superuser
        ? []
        : [
            ...(runtime
              ? []
              : [failed(`${user} is no member of ${RUNTIME_ROLE}`, `Run: grant ${RUNTIME_ROLE} to "${user}"`)]),
            ...(owns === null ? [] : [warning(`${user} owns ${owns}`, 'Serve as a role that owns nothing')]),
            ...(rewrites === null
              ? []
              : [
                  failed(
                    `${user} may rewrite ${rewrites}`,
                    `Run: revoke update, delete, truncate on ${rewrites} from "${user}"`,
                  ),
                ]),
          ]),
    ];
    if (wrong.length > 0) return wrong;
    return [ok(migrate ? `${user} migrates and serves` : `${user} serves, and rewrites nothing`)];
  };
  return session.check('database rights', run, 'payment_event');
}
