-- A receipt that says something wrong is replaced by another one of the same payment.
alter table receipt add column replaced_by text references receipt (name) on update cascade on delete restrict,
  add constraint receipt_replaced check (replaced_by is null or status = 'Void');
drop index receipt_intent_key;
create unique index receipt_intent_key on receipt (intent) where replaced_by is null;
