create trigger reference_frozen before update on payment_reference for each row
  when ((old.number, old.assessment, old.amount, old.currency) is distinct from (new.number, new.assessment, new.amount, new.currency))
  execute function refuse_repricing();
create trigger reference_kept before delete on payment_reference for each row execute function refuse_repricing();
