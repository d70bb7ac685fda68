-- What an agency is owed by the lines of an assessment, it gets: the splits of an intent equal them, agency by agency.

-- Set where somebody who may had money split otherwise.
alter table payment_intent add column split_override boolean not null default false;

-- Intents from before, when nothing held splits to the lines.
update payment_intent i set split_override = true where exists (
  select from (select mda, amount from split_rule where intent = i.name) s
  full join (select mda, sum(amount) as amount from assessment_line where assessment = i.assessment group by mda having sum(amount) > 0) l using (mda)
  where s.amount is distinct from l.amount
);

-- The splits of an intent add up to its amount, and equal the lines.
create or replace function check_intent_splits() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount), 0) from split_rule where intent = new.name) <> new.amount then
    raise exception 'the splits of % do not equal its amount', new.name using errcode = 'check_violation';
  end if;
  if not new.split_override and exists (
    select from (select mda, amount from split_rule where intent = new.name) s
    full join (select mda, sum(amount) as amount from assessment_line where assessment = new.assessment group by mda having sum(amount) > 0) l using (mda)
    where s.amount is distinct from l.amount
  ) then
    raise exception 'the splits of % do not give each agency what its lines owe', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- They are made with their intent, and are what an aggregator was told: neither they nor what they were checked against change.
create trigger append_only before update or delete or truncate on split_rule for each statement execute function refuse_rewriting();
create function refuse_resplitting() returns trigger language plpgsql as $$
begin
  raise exception 'what % collects, and for what, is settled when it is made', old.name using errcode = 'check_violation';
end $$;
create trigger intent_settled before update of assessment, amount, currency, split_override on payment_intent for each row
  when ((old.assessment, old.amount, old.currency, old.split_override) is distinct from (new.assessment, new.amount, new.currency, new.split_override))
  execute function refuse_resplitting();
create function check_split_is_new() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from split_rule where intent = new.intent) <> (select amount from payment_intent where name = new.intent) then
    raise exception 'the splits of % do not equal its amount', new.intent using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger split_of_new_intent after insert on split_rule
  deferrable initially deferred for each row execute function check_split_is_new();
create function check_line_is_unpaid() returns trigger language plpgsql as $$
begin
  if exists (select from payment_intent where assessment = old.assessment) then
    raise exception 'the lines of % are what a payment intent collects', old.assessment using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger line_of_unpaid_assessment after update or delete on assessment_line
  deferrable initially deferred for each row execute function check_line_is_unpaid();
