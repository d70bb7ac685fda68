-- What integrators call their assessments and intents, and what they attach to them. The checks hold for new rows, of
-- which alone any has these, so that no table is read.
alter table assessment add column reference text, add column metadata jsonb,
  add constraint assessment_reference check (char_length(reference) between 1 and 64) not valid,
  add constraint assessment_metadata check (jsonb_typeof(metadata) = 'object') not valid;
alter table payment_intent add column reference text, add column metadata jsonb,
  add constraint payment_intent_reference check (char_length(reference) between 1 and 64) not valid,
  add constraint payment_intent_metadata check (jsonb_typeof(metadata) = 'object') not valid;
