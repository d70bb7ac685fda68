-- Splits are made with their intent, and the aggregator knows them: neither they nor the lines that they were checked against change.
create trigger append_only before update or delete or truncate on split_rule for each statement execute function refuse_rewriting();
create constraint trigger split_of_new_intent after insert on split_rule
  deferrable initially deferred for each row execute function check_split_is_new();
