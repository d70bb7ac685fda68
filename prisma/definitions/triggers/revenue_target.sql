create trigger feed after insert or update or delete on revenue_target for each statement execute function feed('catalogue');
