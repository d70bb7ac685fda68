-- Payment events that have no position in the stream yet.
create or replace view oversight.unplaced_event as select subject as name from oversight_tail where kind = 'payment_event';
