-- Whoever asked for a link on their way to a page goes on there.
alter table magic_link add column return_to text;
