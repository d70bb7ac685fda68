-- What operators did, and who saw which citizen, is sealed by day, in a chain for each log: a row that is changed,
-- removed or added later shows, and the last seal, kept outside the rail, proves all before it.
create table log_seal (
  log text not null,
  day date not null,
  rows bigint not null,
  hash text not null,
  sealed_at timestamptz(3) not null,
  primary key (log, day),
  constraint log_seal_log check (log in ('citizen_access', 'operator_audit')),
  constraint log_seal_rows check (rows >= 0),
  constraint log_seal_hash check (hash ~ '^[0-9a-f]{64}$')
);
create trigger append_only before update or delete or truncate on log_seal for each statement execute function refuse_rewriting();

-- The rows of a log on a UTC day, and the SHA-256 over theirs, in the order of their ids. What a row is hashed as names
-- its columns: one that is added later needs a branch for the days from then on.
create function digest_of_log(log text, day date) returns table (rows bigint, digest text) language sql stable
  set jit = off as $$
  with span as (select day::timestamp at time zone 'UTC' as from_at, (day + 1)::timestamp at time zone 'UTC' as to_at),
  line (id, text) as (
    select a.id::text, jsonb_build_array(a.id, extract(epoch from a.at), a.actor, a.action, a.subject, a.before, a.after,
      a.reason, a.request_id)::text
    from operator_audit a, span where log = 'operator_audit' and a.at >= from_at and a.at < to_at
    union all
    select c.id::text, jsonb_build_array(c.id, extract(epoch from c.at), c.citizen, c.purpose, c.stated_purpose, c.caller,
      c.actor, c.integrator, c.credential, c.request_id)::text
    from citizen_access c, span where log = 'citizen_access' and c.at >= from_at and c.at < to_at
  )
  select count(*), encode(sha256(coalesce(string_agg(sha256(convert_to(text, 'UTF8')), ''::bytea order by id collate "C"),
    ''::bytea)), 'hex')
  from line
$$;

-- The seal of a day: the hex SHA-256 over five lines, the first of which is the hash of the day before.
create function hash_of_log(before text, log text, day date, rows bigint, digest text) returns text language sql immutable as $$
  select encode(sha256(convert_to(concat_ws(E'\n', coalesce(before, repeat('0', 64)), log, day::text, rows::text, digest),
    'UTF8')), 'hex')
$$;
