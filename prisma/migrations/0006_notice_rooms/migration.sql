-- The rooms of pages that a service notice is for; none: all pages show it, as they showed those of before.
alter table service_notice add column rooms text[] not null default '{}'
  check (rooms <@ array['counter', 'supervision', 'console', 'agency', 'oversight', 'dashboard']);
