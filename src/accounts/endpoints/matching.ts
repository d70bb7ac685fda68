import { type Sql, sql } from '../../platform/database/sql.ts';
import { DEFAULT_ENDPOINT } from '../events/owner.ts';

/**
 * The account that a message of `outbox o` is for: operators', where it is of none. Where an account and agencies get
 * messages of their own, those of agencies are for nobody else.
 */
export const accountOf: Sql = sql`coalesce(o.integrator,
  case when o.agency is null or not o.type like any('{notice.%,money_received.%}') then ${DEFAULT_ENDPOINT} end)`;

/** The agencies that a message is about: none that are so called in what an account attached. */
const agenciesIn = sql`array(
  select m #>> '{}' from jsonb_path_query(o.payload - 'metadata', '$.**.mda') m
  union select m #>> '{}' from jsonb_path_query(o.payload, '$.agencies[*]') m
  union select m #>> '{}' from jsonb_path_query(o.payload, '$.propagated_to[*]') m)`;

/**
 * The endpoints `e` that a message of `outbox o` goes to, at the moment: a test to the one that it tests, any other
 * message to those of its account and agency that want its type and one of its agencies. A message about no agency
 * passes the filter by agency.
 */
export const endpointsOf: Sql = sql`array(
  select e.name from webhook_endpoint e left join integrator i on i.code = e.integrator
  where (e.integrator = ${accountOf} or e.agency = o.agency) and e.url is not null
    and i.status is distinct from 'PendingEmail'
    and case
      when starts_with(o.object, 'EP-') then o.object = e.name
      when o.type = 'webhook.test' then e.is_default
      else (e.types = '{}' or exists (
          select from unnest(e.types) t where o.type = t or right(t, 2) = '.*' and starts_with(o.type, left(t, -1))))
        and (e.agencies = '{}' or e.agencies && ${agenciesIn} or ${agenciesIn} = '{}')
    end)`;

/** The endpoints that messages are sent to now: not of accounts that are suspended, nor of agencies that are closed. */
export const sendable = sql`(
  select e.* from webhook_endpoint e left join integrator i on i.code = e.integrator left join mda m on m.name = e.agency
  where e.url is not null and e.disabled_at is null and (i.status = 'Active' or m.status <> 'Inactive'))`;

/** True if a message `d` is of an endpoint that still has its place: messages for a removed one are sent to nobody. */
export const isOfLasting = sql`not exists (select from webhook_endpoint e where e.name = d.endpoint and e.place is null)`;
