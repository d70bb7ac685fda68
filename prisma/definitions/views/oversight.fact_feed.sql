create or replace view oversight.fact_feed as select trimmed, epoch from fact_feed;
