-- All counters. Filters by other names are refused.
create or replace view oversight.counter as
  select mda, concat_ws(' ', mda, nullif(trim(counter_label), '')) as counter from counter_shift;
