-- What a payer handed over in cash is kept with the payment, and with it the change: it is never less than what is due.
alter table payment_intent add column tendered numeric(19, 4);
alter table payment_intent add constraint intent_tendered check (tendered is null or (channel = 'cash' and tendered >= amount)) not valid;
alter table payment_intent validate constraint intent_tendered;
