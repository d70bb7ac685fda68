-- The public holidays of a country, as its profile has them: of a year, or of each.
alter table country add column holidays jsonb not null default '[]';
