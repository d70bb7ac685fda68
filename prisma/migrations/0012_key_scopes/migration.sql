-- A key without scopes has none, and not an unknown number of them: as Prisma's schema has always had it.
update api_key set scopes = '{}' where scopes is null;
alter table api_key alter column scopes set not null;
