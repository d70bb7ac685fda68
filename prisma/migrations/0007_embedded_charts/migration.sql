-- Charts that staff embed in other pages: their address has the token, which shows them as their owner sees them, until they expire.
create table embedded_chart (
  id uuid primary key,
  token text not null unique,
  owner text not null references staff (email) on update cascade on delete cascade,
  name text not null,
  page text not null,
  chart text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index embedded_chart_owner_idx on embedded_chart (owner);
