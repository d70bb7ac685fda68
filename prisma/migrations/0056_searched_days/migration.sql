-- The last day of each time zone that was searched for anomalies: a day before an outage is searched after it.
create table searched_day (
  time_zone text primary key,
  day date not null
);
