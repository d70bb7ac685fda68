-- The fee of a new service that takes two people is not charged before the second one has approved it. Those of the services that exist are in force.
alter table service add column fee_in_force boolean not null default true;
