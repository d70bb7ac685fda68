-- A change that no longer waits is disclosed.
create trigger feed after delete on people_waiting referencing old table as changed for each statement execute function feed('', 'document');
