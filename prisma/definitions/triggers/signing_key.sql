create trigger kept before delete on signing_key for each row when (old.use = 'receipt') execute function refuse_forgetting();
create trigger unchanged before update on signing_key for each row
  when (old.use = 'receipt' and ((new.kid, new.use, new.public_key, new.created_at) is distinct from (old.kid, old.use, old.public_key, old.created_at)
    or (old.expires_at is not null and new.expires_at is distinct from old.expires_at)))
  execute function refuse_forgetting();
