-- How much cash is taken in one payment and in one shift: by agency, and by country where its agency says nothing.
alter table country add column cash_limit numeric(19, 4), add column shift_cash_limit numeric(19, 4);
alter table mda add column cash_limit numeric(19, 4), add column shift_cash_limit numeric(19, 4);
alter table mda add constraint mda_cash_limits check (cash_limit >= 0 and shift_cash_limit >= 0);
update country set cash_limit = 25000000, shift_cash_limit = 500000000 where code = 'UG';
update country set cash_limit = 1000000, shift_cash_limit = 20000000 where code = 'KE';
