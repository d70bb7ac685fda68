-- How channels fared on days that are over, so that the public page of the service asks no payments of three months.
create table channel_day (
  day date not null,
  channel channel not null,
  -- Payers who were asked, and of them those of whom the provider said how it went.
  asked integer not null check (asked > 0),
  answered integer not null check (answered between 0 and asked),
  primary key (day, channel)
);
