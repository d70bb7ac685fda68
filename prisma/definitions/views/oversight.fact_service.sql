create or replace view oversight.fact_service as select '0' as document, service, code, service_name, mda, sector, family from oversight.service;
