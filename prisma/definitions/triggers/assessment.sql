create constraint trigger assessment_equals_lines after insert or update of total_amount, line_count on assessment
  deferrable initially deferred for each row execute function check_assessment_total();
create trigger assessment_frozen before update of total_amount, currency, line_count on assessment for each row
  when (old.status <> 'Draft' and (new.total_amount, new.currency, new.line_count) is distinct from (old.total_amount, old.currency, old.line_count))
  execute function refuse_change('the total of assessment %s is frozen', 'check_violation');
create trigger feed after update on assessment referencing old table as old_rows new table as new_rows
  for each statement execute function feed_assessments();
create trigger feed_new after insert on assessment for each row when (new.assessed_at is not null)
  execute function feed_waiting('assessment', 'name');
create trigger remake_copies after update on assessment for each row
  when (old.paid_at is not null and old.shift is distinct from new.shift) execute function remake_copies();
create trigger follow_assessment after update of status on assessment for each row
  when (old.status = 'Assessed' and new.status <> old.status) execute function follow_assessment();
