-- Why a collection failed, as one of few causes: what providers say of it is free text, with names and numbers.
create or replace function failure_cause(said text) returns text language sql immutable parallel safe as $$
  select case
    when said ~ 'insufficient|not enough|low balance|no funds' then 'insufficient_funds'
    when said ~ 'limit' then 'limit_reached'
    when said ~ '\mpin\M|password|\motp\M' then 'wrong_pin'
    when said ~ 'declin|reject|cancel|not approved|not hono' then 'declined'
    when said ~ 'time(d)? ?out|did ?n.t enter|did not enter|no response|^expired$' then 'timed_out'
    when said ~ 'not found|invalid|unknown|expired card|not registered|inactive' then 'unknown_account'
    when said ~ 'not allowed|not permitted|restricted|blocked|barred|suspended|fraud' then 'not_permitted'
    when said ~ 'internal|unavailable|system|could not perform|error|service' then 'provider_error'
    else 'other'
  end
  from (select translate(lower(coalesce(said, '')), '_-', '  ')) spelled (said)
$$;
