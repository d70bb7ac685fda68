-- Pages whose figures staff get by mail: which, how often, and of which day they were sent last.
create table page_mail (
  staff text not null references staff (email) on update cascade on delete cascade,
  address text not null,
  every text not null constraint page_mail_every_check check (every in ('day', 'week', 'month')),
  language text not null,
  created_at timestamptz(3) not null,
  sent_on date not null,
  primary key (staff, address)
);
