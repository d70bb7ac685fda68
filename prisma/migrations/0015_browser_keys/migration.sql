-- What keys that stand in a browser are bound to. No other key has origins; of those that have, each ends. The index
-- finds whether a page of an origin may ask. Accounts have few keys, so that it is built in a moment.
alter table api_key
  add column origins text[] not null default '{}',
  add column operations text[] not null default '{}',
  add column agencies text[] not null default '{}',
  add constraint key_browser check (
    case when origins = '{}' then operations = '{}' and agencies = '{}'
    else expires_at is not null and scopes = '{oversight.read}' and cardinality(origins) <= 10 end
  );
create index api_key_origins_idx on api_key using gin (origins);
