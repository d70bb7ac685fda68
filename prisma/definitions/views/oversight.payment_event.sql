create or replace view oversight.payment_event as
  select s.position, s.subject as name, s.mda, s.amount, s.currency, s.channel, s.event_kind as kind, s.occurred_at, q.sequence as seal_sequence,
    q.hash as seal_hash, q.version as seal_version, q.commitment as seal_commitment, q.sealed_at
  from oversight_stream s left join event_seal q on q.event = s.subject where s.kind = 'payment_event';
