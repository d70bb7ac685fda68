-- Counts the changes of the catalogue, whoever makes them, so that a process knows by one small read whether a list of it that it answered
-- before is still the list. The count becomes visible together with the change; of two changes at once the second waits for the first.
create table catalogue_version (
  single boolean primary key default true check (single),
  version bigint not null
);
insert into catalogue_version (version) values (0);

create function count_catalogue_change() returns trigger language plpgsql as $$
begin
  update catalogue_version set version = version + 1;
  return null;
end
$$;
create trigger count_change after insert or update or delete or truncate on mda for each statement execute function count_catalogue_change();
create trigger count_change after insert or update or delete or truncate on service for each statement execute function count_catalogue_change();
