create constraint trigger line_equals_total after insert or update or delete on assessment_line
  deferrable initially deferred for each row execute function check_assessment_total();
create constraint trigger line_of_unpaid_assessment after update or delete on assessment_line
  deferrable initially deferred for each row execute function check_line_is_unpaid();
