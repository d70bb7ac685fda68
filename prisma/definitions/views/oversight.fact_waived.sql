-- What exemptions waived of an assessment, by agency and ground, in the same steps as its amounts. What was cancelled waives nothing.
create or replace view oversight.fact_waived as
  select q.document, person_number(s.salt, to_char(q.month, 'YYYYMM'), q.citizen) as person, q.month, q.currency, q.mda, e.ground, sum(l.waived) as amount
  from (select distinct document, citizen, month, currency, mda from disclosed_share where status <> 'Cancelled') q
  join assessment_line l on l.assessment = q.document and l.mda = q.mda join exemption e on e.name = l.exemption cross join oversight_salt s
  group by q.document, q.citizen, q.month, q.currency, q.mda, e.ground, s.salt;
