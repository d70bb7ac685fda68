create trigger signed before update or delete on receipt for each row execute function refuse_reissuing();
create trigger kept before truncate on receipt for each statement execute function refuse_reissuing();
create trigger feed after update on receipt for each row
  when ((old.status, old.copies) is distinct from (new.status, new.copies)) execute function feed_receipt();
