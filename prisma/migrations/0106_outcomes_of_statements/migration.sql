-- What came of the rows of a statement, added up as they are written: auditors ask of years of statements, whose rows never change.
create table reconciliation_outcome (
  run text not null references reconciliation_run (name),
  outcome text not null,
  -- Empty for rows that name none.
  currency text not null,
  count integer not null,
  settled numeric(38, 4),
  recorded numeric(38, 4),
  primary key (run, outcome, currency)
);

create function sum_outcomes() returns trigger language plpgsql as $$
begin
  insert into reconciliation_outcome as o (run, outcome, currency, count, settled, recorded)
    select run, outcome, coalesce(statement_currency, recorded_currency, ''), count(*), sum(statement_amount), sum(recorded_amount)
    from added group by 1, 2, 3 order by 1, 2, 3
    on conflict (run, outcome, currency) do update set count = o.count + excluded.count,
      settled = coalesce(o.settled + excluded.settled, o.settled, excluded.settled),
      recorded = coalesce(o.recorded + excluded.recorded, o.recorded, excluded.recorded);
  return null;
end $$;
create trigger sum_outcomes after insert on reconciliation_item referencing new table as added for each statement execute function sum_outcomes();
alter table reconciliation_item enable always trigger sum_outcomes;

insert into reconciliation_outcome (run, outcome, currency, count, settled, recorded)
  select run, outcome, coalesce(statement_currency, recorded_currency, ''), count(*), sum(statement_amount), sum(recorded_amount)
  from reconciliation_item group by 1, 2, 3;

drop view oversight.settlement_item;
create view oversight.settlement_outcome as
  select run, outcome, nullif(currency, '') as currency, count, settled, recorded from reconciliation_outcome;
grant select on oversight.settlement_outcome to rail_oversight;
