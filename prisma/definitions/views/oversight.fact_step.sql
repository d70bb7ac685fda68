create or replace view oversight.fact_step as select '0' as document, number from people_step;
