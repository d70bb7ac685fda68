-- Where somebody was on their way to when they asked for a new password, so that they go on there with it.
alter table staff_link add column return_to text;
