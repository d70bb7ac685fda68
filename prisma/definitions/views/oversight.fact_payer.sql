-- A person is a payer once the payment is disclosed: of the assessment, or of the attempt where money does not wait for the assessment.
create or replace view oversight.fact_payer as
  select distinct e.assessment as document, person_number(s.salt, ' payer of ' || e.mda || ' ', a.citizen) as person, e.mda,
    date_trunc('month', e.occurred_at at time zone 'utc')::date as month
  from payment_event e join assessment a on a.name = e.assessment join citizen c on c.name = a.citizen and c.kind = 'person' cross join oversight_salt s
  left join first_waiting w on w.document = e.assessment and w.intent is null
  where e.kind = 'payment' and (w.id is null or w.was in ('Paid', 'Cancelled'))
    and not exists (select from people_waiting v where v.document = e.assessment and v.intent = e.intent);
