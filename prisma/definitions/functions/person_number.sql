-- A number for a person that is good for counting alone. It is stable, not immutable: so the planner inlines it into the statement.
create or replace function person_number(salt text, purpose text, citizen text) returns bigint language sql stable parallel safe
return ('x' || encode(substr(sha256(convert_to(salt || purpose || citizen, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
