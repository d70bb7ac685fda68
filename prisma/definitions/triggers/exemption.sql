create trigger settled before update on exemption for each row
  when ((new.name, new.citizen, new.mda, new.service, new.category, new.percent, new.ground, new.document_hash, new.valid_from, new.valid_to, new.created_at)
    is distinct from (old.name, old.citizen, old.mda, old.service, old.category, old.percent, old.ground, old.document_hash, old.valid_from, old.valid_to, old.created_at))
  execute function refuse_change('what exemption %s exempts from never changes', 'check_violation');
