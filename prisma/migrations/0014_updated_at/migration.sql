-- Every resource tells when it was last changed. That a key was used, or a delivery claimed, is no change of it.
alter table api_key add column updated_at timestamptz(3) not null default now();
update api_key set updated_at = coalesce(revoked_at, created_at);

alter table webhook_delivery add column updated_at timestamptz(3) not null default now();
update webhook_delivery d set updated_at = coalesce((select max(at) from webhook_attempt t where t.delivery = d.name), d.created_at);

alter table propagation add column updated_at timestamptz(3) not null default now();
update propagation set updated_at = coalesce(done_at, created_at);
