-- How the agencies of a sandbox behave towards an account that tries it out.
create table sandbox_agency (
  integrator text references integrator (code) on update cascade,
  mda text references mda (name) on update cascade,
  behaviour text not null check (behaviour in ('down', 'reject_next')),
  primary key (integrator, mda)
);
