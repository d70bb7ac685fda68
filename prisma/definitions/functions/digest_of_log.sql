-- The rows of a log on a UTC day, and the SHA-256 over the hashes of these rows, in the order of their ids. A row is hashed by the names
-- of its columns: a column that is added later needs a branch for the days from then on.
create or replace function digest_of_log(log text, day date) returns table (rows bigint, digest text) language plpgsql stable
  set jit = off as $$
begin
  return query
  with span as (select day::timestamp at time zone 'UTC' as from_at, (day + 1)::timestamp at time zone 'UTC' as to_at),
  line (id, text) as (
    select a.id::text, jsonb_build_array(a.id, extract(epoch from a.at), a.actor, a.action, a.subject, a.before, a.after,
      a.reason, a.request_id)::text
    from operator_audit a, span where log = 'operator_audit' and a.at >= from_at and a.at < to_at
    union all
    select c.id::text, jsonb_build_array(c.id, extract(epoch from c.at), c.citizen, c.purpose, c.stated_purpose, c.caller,
      c.actor, c.integrator, c.credential, c.request_id)::text
    from citizen_access c, span where log = 'citizen_access' and c.at >= from_at and c.at < to_at
    union all
    select m.name, jsonb_build_array(m.name, m.provider, m.txn_id, m.kind, m.amount, m.currency, m.channel, m.reference,
      m.intent, m.assessment, extract(epoch from m.received_at), extract(epoch from m.created_at))::text
    from money_received m, span where log = 'money_received' and m.created_at >= from_at and m.created_at < to_at
    union all
    select a.name, jsonb_build_array(a.name, a.kind, a.subject, a.about, a.mdas, a.proposal, a.asked_by, a.asked_key_issued_by,
      a.asked_reason, extract(epoch from a.created_at), extract(epoch from a.expires_at))::text
    from approval a, span where log = 'approval' and a.created_at >= from_at and a.created_at < to_at
    union all
    select a.name || ' decided', jsonb_build_array(a.name, a.status, a.decided_by, extract(epoch from a.decided_at),
      a.decided_reason, extract(epoch from a.updated_at))::text
    from approval a, span where log = 'approval' and a.decided_at >= from_at and a.decided_at < to_at
  )
  select count(*), encode(sha256(coalesce(string_agg(sha256(convert_to(text, 'UTF8')), ''::bytea order by id collate "C"),
    ''::bytea)), 'hex')
  from line;
end $$;
