create trigger feed after insert or update on people_step for each statement execute function feed('step');
