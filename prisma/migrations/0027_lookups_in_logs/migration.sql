-- Outside a transaction. The log of requests is searched by endpoint and for what went wrong, and what operators did by who did what.
create index concurrently if not exists audit_log_endpoint_idx on audit_log (endpoint, integrator);
create index concurrently if not exists audit_log_failed_idx on audit_log (integrator, ts desc, id desc, http_status)
  where http_status >= 400;
create index concurrently if not exists operator_audit_actor_idx on operator_audit (actor, id desc);
create index concurrently if not exists operator_audit_action_idx on operator_audit (action, id desc);
