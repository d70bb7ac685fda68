-- What agencies, services, and their sectors and families are called in other languages, as country profiles say.
alter table mda add column names jsonb not null default '{}';
alter table service add column names jsonb not null default '{}';
alter table country add column sectors jsonb not null default '{}', add column families jsonb not null default '{}';
