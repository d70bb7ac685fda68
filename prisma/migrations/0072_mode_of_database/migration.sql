-- Whether a database is a sandbox's or a live rail's: written by the first start, and compared by every later one.
create table database_mode (
  id integer primary key check (id = 1),
  mode text not null check (mode in ('sandbox', 'live')),
  since timestamptz(3) not null
);
-- Of a database that was in use before, what is in it tells; where nothing does, its next start decides.
insert into database_mode (id, mode, since)
select 1, case when exists (select from sandbox_secret) then 'sandbox' else 'live' end, now()
where exists (select from sandbox_secret) or exists (select from integrator where tier = 'live');
create trigger append_only before update or delete or truncate on database_mode for each statement execute function refuse_rewriting();
