create trigger reference_frozen before update or delete on payment_reference for each row execute function refuse_repricing();
