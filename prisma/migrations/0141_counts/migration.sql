-- Every count of the cash of a shift is kept, the first of which is that of the shift: a count that was wrong does not
-- become right by another.
alter table counter_shift add column counts numeric(19, 4)[] not null default '{}';
