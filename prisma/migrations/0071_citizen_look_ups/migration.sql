-- How many citizens each account has looked up on a UTC day: what its daily quota is compared with, on every process.
create table citizen_look_ups (
  integrator text not null references integrator (code),
  day date not null,
  used integer not null check (used > 0),
  primary key (integrator, day)
);
