import type pg from 'pg';

/** Role that a serving process may be a member of, if an administrator has made it. */
export const RUNTIME_ROLE = 'rail_runtime';

/**
 * Gives the runtime role what it lacks: rows of all tables to read and to write, of what is append-only to add alone,
 * and nothing of the schema. New tables get it with the migration that makes them, so this runs after each. The queue
 * guards its tables by row security, which lets only their owner through.
 */
export async function grantRuntimeRole(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare
      one record;
      may text;
    begin
      if to_regrole('${RUNTIME_ROLE}') is null or to_regnamespace('oversight') is null then return; end if;
      if not pg_has_role('${RUNTIME_ROLE}', 'rail_oversight', 'MEMBER') then
        begin
          grant rail_oversight to ${RUNTIME_ROLE};
        exception when insufficient_privilege then
          raise exception 'an administrator of the database has to run once: grant rail_oversight to ${RUNTIME_ROLE}';
        end;
      end if;
      grant usage on schema public, oversight, graphile_worker to ${RUNTIME_ROLE};
      for one in
        select c.oid, c.oid::regclass as name, c.relkind, n.nspname as schema, c.relrowsecurity as guarded,
          exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = to_regproc('refuse_rewriting')) as append_only
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'oversight', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'S')
      loop
        if one.relkind = 'S' then
          if not has_sequence_privilege('${RUNTIME_ROLE}', one.oid, 'USAGE') then
            execute format('grant usage, select on sequence %s to ${RUNTIME_ROLE}', one.name);
          end if;
          continue;
        end if;
        may := case
          when one.relkind = 'v' or one.name in ('_prisma_migrations'::regclass, '_definitions'::regclass) then 'SELECT'
          when one.append_only then 'SELECT, INSERT'
          else 'SELECT, INSERT, UPDATE, DELETE'
        end;
        if exists (select from unnest(string_to_array(may, ', ')) p where not has_table_privilege('${RUNTIME_ROLE}', one.oid, p)) then
          execute format('grant %s on %s to ${RUNTIME_ROLE}', may, one.name);
        end if;
        -- Rights granted before it became append-only.
        if one.append_only and has_table_privilege('${RUNTIME_ROLE}', one.oid, 'UPDATE, DELETE') then
          execute format('revoke update, delete on %s from ${RUNTIME_ROLE}', one.name);
        end if;
        if one.guarded and not exists (select from pg_policy where polrelid = one.oid and polname = '${RUNTIME_ROLE}') then
          execute format('create policy ${RUNTIME_ROLE} on %s to ${RUNTIME_ROLE} using (true) with check (true)', one.name);
        end if;
      end loop;
      for one in
        select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'oversight', 'graphile_worker') and not has_function_privilege('${RUNTIME_ROLE}', p.oid, 'EXECUTE')
      loop
        execute format('grant execute on function %s to ${RUNTIME_ROLE}', one.name);
      end loop;
    end $$`);
}
