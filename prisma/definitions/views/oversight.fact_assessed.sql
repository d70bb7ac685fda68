-- People and debts have numbers that are good for counting alone: a debt, what an assessment still owes an agency.
create or replace view oversight.fact_assessed as
  select q.document, person_number(s.salt, to_char(q.month, 'YYYYMM'), q.citizen) as person, q.month, q.due, q.assessed_at, q.currency, q.mda, q.service,
    q.channel, q.status, q.amount, q.milliseconds, q.leads,
    case when q.status = 'Assessed' then
      'DUE-' || left(encode(sha256(convert_to(s.salt || ' owed ' || q.document || ' ' || q.mda, 'UTF8')), 'hex'), 24) end as name
  from disclosed_share q cross join oversight_salt s;
