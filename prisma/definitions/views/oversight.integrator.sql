create or replace view oversight.integrator as select code as integrator from integrator;
