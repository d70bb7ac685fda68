create or replace view oversight.service as select name as service, code, service_name, mda, sector, family from service;
