-- Oversight looks up which counters and integrators there are, to refuse filters by others.
create view oversight.counter as
  select mda, concat_ws(' ', mda, nullif(trim(counter_label), '')) as counter from counter_shift;
create view oversight.integrator as select code as integrator from integrator;
grant select on oversight.counter, oversight.integrator to rail_oversight;
