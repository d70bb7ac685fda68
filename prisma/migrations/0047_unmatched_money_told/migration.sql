-- Payers are told of money that arrived and paid nothing.
alter type payer_message_kind add value 'unmatched';
