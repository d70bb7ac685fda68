create trigger kept before update or delete on signing_key for each row execute function refuse_forgetting();
