create or replace view oversight.stream as select position, kind, at from oversight_stream;
