create trigger follow after update on webhook_endpoint for each row when (new.is_default) execute function follow_default_endpoint();
