-- What operators decide of an account: the channels and agencies that it may use ('*' is all of them), and how many requests a minute it
-- may send. Accounts that there are keep what they could do.
alter table integrator
  add column allowed_channels text[] not null default '{*}',
  add column allowed_agencies text[] not null default '{*}',
  add column limit_per_minute integer;
alter table integrator add constraint integrator_allowed_channels
  check (not '*' = any(allowed_channels) or cardinality(allowed_channels) = 1);
alter table integrator add constraint integrator_allowed_agencies
  check (not '*' = any(allowed_agencies) or cardinality(allowed_agencies) = 1);
alter table integrator add constraint integrator_limit_per_minute check (limit_per_minute > 0);

create type pricing_tier as enum ('free', 'standard', 'premium');
alter table integrator alter column pricing_tier type pricing_tier using pricing_tier::pricing_tier;
