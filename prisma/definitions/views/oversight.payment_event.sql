-- By JSON, since the view is made on databases too that have no such column yet: those of before the baseline are compared with it.
create or replace view oversight.payment_event as
  select s.position, s.subject as name, s.mda, s.amount, s.currency, s.channel, s.event_kind as kind, s.occurred_at, q.sequence as seal_sequence,
    q.hash as seal_hash, q.version as seal_version, q.commitment as seal_commitment, q.sealed_at,
    (select to_jsonb(e) ->> 'proof' from payment_event e where e.name = s.subject) as proof
  from oversight_stream s left join event_seal q on q.event = s.subject where s.kind = 'payment_event';
