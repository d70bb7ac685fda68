create trigger append_only before update or delete or truncate on money_received for each statement execute function refuse_rewriting();
create trigger one_book before insert on money_received for each row execute function keep_in_one_book();
create trigger feed after insert on money_received for each row execute function feed('money', 'name');
