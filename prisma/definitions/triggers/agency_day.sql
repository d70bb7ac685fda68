create trigger stated before update on agency_day for each row
  when (old.confirmed_at is not null or (new.name, new.mda, new.day, new.previous, new.payload, new.signature, new.kid, new.head, new.created_at)
    is distinct from (old.name, old.mda, old.day, old.previous, old.payload, old.signature, old.kid, old.head, old.created_at))
  execute function refuse_restating();
create trigger kept before delete or truncate on agency_day for each statement execute function refuse_restating();
create trigger feed after insert or update of confirmed_at on agency_day for each row execute function feed('day', 'day');
