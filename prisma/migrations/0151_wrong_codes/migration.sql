-- How many wrong codes followed a right password of a member of staff since their last right one, which locks the factor.
create table staff_wrong_codes (
  staff text primary key references staff (email) on update cascade,
  codes integer not null check (codes > 0),
  warned_at timestamptz(3)
);
