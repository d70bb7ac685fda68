-- The seal of a day: the hex SHA-256 over five lines, the first of which is the hash of the day before.
create or replace function hash_of_log(before text, log text, day date, rows bigint, digest text) returns text language sql immutable as $$
  select encode(sha256(convert_to(concat_ws(E'\n', coalesce(before, repeat('0', 64)), log, day::text, rows::text, digest),
    'UTF8')), 'hex')
$$;
