import { stopUrlOf } from '../../../src/collection/citizens/messages/stop.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import type { TestRail } from '../../harness/rail.ts';

/** Somebody on the staff with every role, who opens the pages of staff. */
export const EVERYBODY = 'everybody@agency.example';

const shift = (status: string) =>
  sql`select name as id from counter_shift where clerk = ${EVERYBODY} and status::text = ${status} order by name limit 1`;
const assessment = (status: string) => sql`
  select a.name as id from assessment a join counter_shift s on s.name = a.shift
  where s.clerk = ${EVERYBODY} and a.status::text = ${status} order by a.name limit 1`;
const intent = (status: string) => sql`
  select i.name as id from payment_intent i join assessment a on a.name = i.assessment join counter_shift s on s.name = a.shift
  where s.clerk = ${EVERYBODY} and i.status::text = ${status} order by i.name limit 1`;

/** The account of whoever opens the pages of integrators. */
const signedIn = sql`(select integrator from session)`;
const key = sql`select name as id from api_key where integrator in ${signedIn} and status = 'active' order by name limit 1`;

/** The tokens of payment links by the pages that they open, which `LINKED` makes. */
export const LINKS = { '': 'c', '/wait': 'w', '/done': 'd' } as const;
const tokenOf = (page: keyof typeof LINKS) => `pay_${LINKS[page].repeat(43)}`;
const tokenFor = (page: keyof typeof LINKS) => sql`select ${tokenOf(page)} as token`;

/** A link to an assessment that can be paid, to one that is being paid, and to one that is. */
export const LINKED = (Object.keys(LINKS) as (keyof typeof LINKS)[]).map((page, number) => {
  const payable = sql`(${assessment(page === '/done' ? 'Paid' : 'Assessed')})`;
  const waiting = sql`(select assessment as id from payment_intent where name = (${intent('Sent')}))`;
  return sql`
    insert into payment_link (name, token_hash, assessment, channels, status, expires_at, revision, created_at, updated_at)
    select ${`LINK-2020-01-00000${number}`}, sha256(${tokenOf(page)}::bytea), a.id, '{}', 'Open', now() + interval '1 day', 1,
      now(), now()
    from ${page === '/wait' ? waiting : payable} a`;
});

/** For each page with parameters in its address, a row that has an example of each, by its name. */
export const EXAMPLES: Readonly<Record<string, Sql>> = {
  '/work/account/passkeys/{id}/remove': sql`select id from staff_passkey where staff = ${EVERYBODY}`,
  '/figures/views/{id}': sql`select id from saved_view where owner = ${EVERYBODY}`,
  '/docs/{guide}': sql`select 'operators' as guide`,
  '/docs/api/{operation}': sql`select 'createPaymentIntent' as operation`,
  '/docs/tasks/{task}': sql`select 'close-with-a-difference' as task`,
  '/docs/events/{type}': sql`select 'payment_intent.confirmed' as type`,
  '/counter/shifts/{id}': shift('Open'),
  '/counter/shifts/{id}/people': shift('Open'),
  '/counter/shifts/{id}/people/organisation': shift('Open'),
  '/counter/shifts/{id}/basket/{citizen}': sql`
    select s.name as id, c.name as citizen from counter_shift s cross join citizen c
    where s.clerk = ${EVERYBODY} and s.status = 'Open' order by c.name limit 1`,
  '/counter/shifts/{id}/close': shift('Open'),
  '/counter/shifts/{id}/closed': shift('Closed'),
  '/counter/assessments/{id}': assessment('Assessed'),
  '/counter/payments/{id}': intent('Sent'),
  '/counter/slips/{id}': intent('Confirmed'),
  '/counter/refunds/{id}': sql`select name as id from refund order by name limit 1`,
  '/agency/bank/{id}': sql`select name as id from bank_line order by name limit 1`,
  '/agency/days/{id}': sql`select name as id from agency_day order by name limit 1`,
  '/agency/exemptions/{id}': sql`select name as id from exemption order by name limit 1`,
  '/console/money/{id}': sql`select name as id from money_received order by name limit 1`,
  '/console/refunds/{id}': sql`select name as id from refund order by name limit 1`,
  '/dashboard/keys/{id}/rotate': key,
  '/dashboard/keys/{id}/revoke': key,
  '/dashboard/payments/{id}': sql`
    select name as id from payment_intent where integrator in ${signedIn} and status = 'Confirmed' order by name limit 1`,
  '/dashboard/assessments/{id}': sql`
    select name as id from assessment where integrator in ${signedIn} and status = 'Paid' order by name limit 1`,
  '/dashboard/webhooks/deliveries/{id}': sql`
    select name as id from webhook_delivery where integrator in ${signedIn} order by name limit 1`,
  '/dashboard/webhooks/endpoints/{id}': sql`
    select name as id from webhook_endpoint where integrator in ${signedIn} and url is not null order by name limit 1`,
  '/dashboard/requests/{id}': sql`
    select to_char(ts at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '_' || id as id from audit_log
    where integrator in ${signedIn} and http_status < 300 order by ts limit 1`,
  '/work/assessments/{id}/cancel': assessment('Assessed'),
  '/work/assessments/{id}/replace': assessment('Assessed'),
  '/supervision/shifts/{id}': sql`
    select name as id from counter_shift where variance_status = 'Pending' and clerk <> ${EVERYBODY} order by name limit 1`,
  '/console/agencies/{id}': sql`select mda as id from account_change order by name limit 1`,
  '/console/agencies/{id}/edit': sql`select mda as id from account_change order by name limit 1`,
  '/console/services/{id}': sql`select name as id from service where next_fee_amount is not null order by name limit 1`,
  '/console/services/{id}/edit': sql`select name as id from service order by name limit 1`,
  '/console/services/{id}/tariff': sql`select name as id from service where tariff is not null order by name limit 1`,
  '/console/alerts/{id}': sql`select name as id from alert_rule order by name limit 1`,
  '/console/notices/{id}': sql`select name as id from service_notice order by name limit 1`,
  '/console/reconciliation/runs/{id}': sql`select name as id from reconciliation_run order by name limit 1`,
  '/console/integrators/{id}': sql`select code as id from integrator order by code limit 1`,
  '/console/integrators/{id}/edit': sql`select code as id from integrator order by code limit 1`,
  '/console/keys/{id}': sql`select name as id from api_key order by name limit 1`,
  '/console/keys/{id}/revoke': sql`select name as id from api_key where status = 'active' order by name limit 1`,
  '/console/live-requests/{id}': sql`select name as id from live_request order by name limit 1`,
  '/console/anomalies/{id}': sql`select name as id from anomaly where kind = 'amount_mismatch' order by name limit 1`,
  '/console/propagations/{id}': sql`select name as id from propagation where status = 'dead' order by name limit 1`,
  '/console/deliveries/{id}': sql`select name as id from webhook_delivery where status = 'dead' order by name limit 1`,
  '/console/payments/{id}': sql`
    select i.name as id from payment_intent i join anomaly a on a.subject = i.name where i.status = 'Confirmed' limit 1`,
  '/console/assessments/{id}': assessment('Paid'),
  '/console/staff/{id}': sql`select email as id from staff where email <> ${EVERYBODY} order by email limit 1`,
  '/console/agency-keys/{id}': sql`select name as id from agency_key order by name limit 1`,
  '/oversight/questions/{question}': sql`select 'revenue-by-agency' as question`,
  '/oversight/anomalies/{id}': sql`select name as id from oversight.anomaly order by name limit 1`,
  '/pay/{token}': tokenFor(''),
  '/pay/{token}/wait': tokenFor('/wait'),
  '/pay/{token}/done': tokenFor('/done'),
  '/signup/{account}': sql`select code as account from integrator order by code limit 1`,
};

/** The same of what the rail alone can make: the whole address. */
export const SEALED: Readonly<Record<string, (rail: TestRail) => Promise<string>>> = {
  '/stop/{token}': async (rail) => stopUrlOf(rail.rail, 'payer@example.org').slice(rail.rail.origin.length),
};
