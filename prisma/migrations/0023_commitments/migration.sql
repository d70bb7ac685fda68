-- Seals that can be recomputed from what oversight may read: in place of the members that it may not, they cover a commitment to them.
-- Seals from before are of version 1, and stay as they are.
alter table event_seal add column version smallint not null default 1, add column commitment text;
alter table event_seal alter column version drop default;
alter table event_seal add constraint seal_commitment check (
  (version = 1 and commitment is null) or (version = 2 and commitment is not null and commitment ~ '^[0-9a-f]{64}$'));

-- With what the commitment of an event is made, so that nobody finds out by guessing what it is to. Only the rail reads it. It is kept
-- for as long as the seal: without it, nobody could show what was committed to.
create table seal_salt (
  event text primary key references payment_event (name),
  salt text not null check (salt ~ '^[0-9a-f]{64}$')
);
create trigger append_only before update or delete or truncate on seal_salt for each statement execute function refuse_rewriting();

create or replace view oversight.payment_event as
  select s.position, s.subject as name, s.mda, s.amount, s.currency, s.channel, s.event_kind as kind, s.occurred_at, q.sequence as seal_sequence,
    q.hash as seal_hash, q.version as seal_version, q.commitment as seal_commitment, q.sealed_at
  from oversight_stream s left join event_seal q on q.event = s.subject where s.kind = 'payment_event';

-- Demands that were cancelled before they were paid are listed of months in which those of enough people were.
create view oversight.cancelled_demand as
  select a.cancelled_at, date_trunc('month', a.cancelled_at at time zone 'utc')::date as month, l.mda, a.currency,
    substr(sha256(convert_to((select salt from oversight_salt) || ' cancelled ' || to_char(a.cancelled_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8)
      as person
  from assessment a join assessment_line l on l.assessment = a.name
  where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null;
grant select on oversight.cancelled_demand to rail_oversight;
