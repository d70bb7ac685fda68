-- Runs once, as the administrator of a new PostgreSQL: the roles of docs/operators.md, and the database.
\getenv owner_password OWNER_PASSWORD
\getenv rail_password RAIL_PASSWORD
create role rail_oversight nologin;
create role rail_runtime nologin;
grant rail_oversight to rail_runtime;
create role rail_owner login password :'owner_password' in role rail_oversight;
create role rail login password :'rail_password' in role rail_runtime;
create database rail owner rail_owner;
