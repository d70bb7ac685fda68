-- How agencies' endpoints answered, by day, whoever called them: what pages show of months without a look at what operators did.
create table agency_endpoint_day (
  endpoint text not null references agency_endpoint,
  -- By the clock of UTC.
  day date not null,
  probes integer not null check (probes > 0),
  succeeded integer not null check (succeeded between 0 and probes),
  -- Of the probes that were answered, whatever the answer was, and whose time is known: how many, how long all of them took, and the longest.
  timed integer not null check (timed between 0 and probes),
  total_ms bigint not null check (total_ms >= 0),
  most_ms integer check ((most_ms is null) = (timed = 0)),
  primary key (endpoint, day)
);
-- What operators found by hand until now; how long it took is known of the last one alone.
insert into agency_endpoint_day (endpoint, day, probes, succeeded, timed, total_ms)
select e.id, (a.at at time zone 'utc')::date, count(*), count(*) filter (where a.after ->> 'last_probe_status' = 'ok'), 0, 0
from operator_audit a join agency_endpoint e on e.id = a.subject
where a.action = 'agency_endpoint.probe' and a.at >= now() - interval '400 days'
group by 1, 2;
-- When a process last took an endpoint in hand to probe it by itself.
alter table agency_endpoint add column probe_claimed_at timestamptz(3);
