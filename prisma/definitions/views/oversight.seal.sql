create or replace view oversight.seal as
  select m.name as mda, s.sequence, s.hash, s.sealed_at from mda m
  cross join lateral (select sequence, hash, sealed_at from event_seal where event_seal.mda = m.name order by sequence desc limit 1) s;
