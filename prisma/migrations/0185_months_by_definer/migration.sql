-- A rail that runs with a role which may not change the schema has the months of its logs made all the same, by the owner of them.
alter function ensure_month(text, timestamptz) security definer;
alter function ensure_month(text, timestamptz) set search_path = public, pg_temp;
