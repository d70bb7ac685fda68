create or replace view oversight.fact_change as select xid, kind, document from fact_change;
