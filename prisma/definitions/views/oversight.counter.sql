-- Which counters there are, so that filters by others are refused.
create or replace view oversight.counter as
  select mda, concat_ws(' ', mda, nullif(trim(counter_label), '')) as counter from counter_shift;
