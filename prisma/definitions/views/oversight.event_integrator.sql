create or replace view oversight.event_integrator as select name as event, integrator from payment_event where integrator is not null;
