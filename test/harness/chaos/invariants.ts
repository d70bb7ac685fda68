import { expect } from 'vitest';
import type { TestRail } from '../rail.ts';

/** Invariants that hold after any fault: each query returns no row. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'splits add up to the intent, and the intent is the total of its assessment': `
    select i.name from payment_intent i join assessment a on a.name = i.assessment left join split_rule s on s.intent = i.name
    group by i.name, i.amount, a.total_amount having coalesce(sum(s.amount), 0) <> i.amount or i.amount <> a.total_amount or min(s.amount) <= 0`,
  'splits give each agency what its lines owe, unless somebody who may had it otherwise, which is flagged': `
    select i.name from payment_intent i
    cross join lateral (
      select coalesce(bool_or(s.amount is distinct from l.amount), false) as differs from (select mda, amount from split_rule where intent = i.name) s
      full join (select mda, sum(amount) as amount from assessment_line where assessment = i.assessment group by mda having sum(amount) > 0) l using (mda)) d
    where d.differs <> i.split_override or i.split_override <> exists (select from anomaly n where n.kind = 'split_differs' and n.subject = i.name)`,
  'a Confirmed intent has one event a split, any other none': `
    select i.name from payment_intent i join split_rule s on s.intent = i.name
    left join payment_event e on e.intent = s.intent and e.mda = s.mda and e.kind = 'payment'
    group by i.name, i.status, s.mda, s.amount having count(e.name) <> (i.status = 'Confirmed')::int or bool_or(e.amount <> s.amount)`,
  'a Paid assessment has a Confirmed intent, unless its total is zero; one with more than one is flagged': `
    select a.name from assessment a left join payment_intent i on i.assessment = a.name and i.status = 'Confirmed' group by a.name, a.status
    having (a.status = 'Paid' and (count(i.name) = 0) <> (a.total_amount = 0)) or (a.status in ('Draft', 'Assessed') and count(i.name) > 0)
      or (a.status = 'Paid' and a.total_amount > 0 and count(i.name) - 1 <> (select count(*) from anomaly n join payment_intent d on d.name = n.subject where n.kind = 'duplicate_collection' and d.assessment = a.name))`,
  'lines add up to the total': `
    select a.name from assessment a join assessment_line l on l.assessment = a.name group by a.name, a.total_amount, a.line_count
    having sum(l.amount) <> a.total_amount or count(*) <> a.line_count`,
  'states are entered in legal order, each from the one before': `
    select * from (
      select doc, case when doc like 'RFD-%' then 'refund' else kind end as kind, detail ->> 'from' as came, detail ->> 'to' as went, lag(detail ->> 'to') over (partition by doc order by id) as before
      from trace_row where kind in ('assessment.update', 'payment_intent.update')) t
    where came is distinct from before or (kind, coalesce(came, ''), went) not in (
      ('assessment.update', '', 'Draft'), ('assessment.update', 'Draft', 'Assessed'), ('assessment.update', 'Draft', 'Cancelled'),
      ('assessment.update', 'Assessed', 'Cancelled'), ('assessment.update', 'Assessed', 'Paid'), ('assessment.update', 'Paid', 'Cancelled'),
      ('payment_intent.update', '', 'Pending'), ('payment_intent.update', 'Pending', 'Sent'), ('payment_intent.update', 'Sent', 'Confirmed'),
      ('payment_intent.update', 'Pending', 'Failed'), ('payment_intent.update', 'Sent', 'Failed'), ('payment_intent.update', 'Pending', 'Expired'),
      ('payment_intent.update', 'Sent', 'Expired'), ('payment_intent.update', 'Failed', 'Confirmed'), ('payment_intent.update', 'Expired', 'Confirmed'),
      ('refund', '', 'Requested'), ('refund', 'Requested', 'Approved'), ('refund', 'Requested', 'Declined'), ('refund', 'Approved', 'Sent'),
      ('refund', 'Approved', 'Done'), ('refund', 'Approved', 'Failed'), ('refund', 'Sent', 'Done'), ('refund', 'Sent', 'Failed'), ('refund', 'Failed', 'Done'))`,
  'the last state of a trace is the state of its document': `
    select t.doc from (select distinct on (doc) doc, detail ->> 'to' as went from trace_row where kind in ('assessment.update', 'payment_intent.update') order by doc, id desc) t
    left join assessment a on a.name = t.doc left join payment_intent i on i.name = t.doc left join refund f on f.name = t.doc
    where t.went is distinct from coalesce(a.status::text, i.status::text, f.status::text)`,
  'no reference is shared by two intents': `
    select aggregator, aggregator_reference from payment_intent where aggregator_reference is not null group by 1, 2 having count(*) > 1`,
  'one message tells of each confirmation': `
    select i.name from payment_intent i left join outbox o on o.object = i.name and o.type = 'payment_intent.confirmed'
    group by i.name, i.status having count(o.id) <> (i.status = 'Confirmed')::int`,
  'one decision a provider event': `select provider, event_id from inbound_callback group by 1, 2 having count(*) > 1`,
  'what goes back of a payment is at most what was paid, and all of it after a cancellation': `
    select e.intent, e.mda from payment_event e left join payment_intent i on i.name = e.intent left join assessment a on a.name = i.assessment
    group by e.intent, e.mda, a.status having sum(e.amount) < 0 or (bool_or(e.kind = 'reversal' and e.refund is null) and sum(e.amount) <> coalesce((
      select sum(s.amount) from refund f join refund_share s on s.refund = f.name
      where f.intent = e.intent and s.mda = e.mda and not f.booked and f.status in ('Requested', 'Approved', 'Sent', 'Failed')), 0))`,
  'the events of a refund that is Done are its shares, and no other has any': `
    select coalesce(s.refund, e.refund) from (
      select s.refund, s.mda, sum(s.amount) as amount from refund_share s join refund f on f.name = s.refund where f.status = 'Done' and not f.booked group by 1, 2) s
    full join (select refund, mda, -amount as amount from payment_event where refund is not null) e on e.refund = s.refund and e.mda = s.mda
    where s.amount is distinct from e.amount`,
  'an audit event agrees with its status': `
    select id from audit_log where event <> case when http_status in (401, 403) then 'api.auth.denied' when http_status >= 500 then 'api.handler.error' else 'api.auth.granted' end`,
  'never two Open shifts of a clerk at an agency': `
    select clerk, mda from counter_shift where status = 'Open' group by 1, 2 having count(*) > 1`,
  'the count of a shift is what its events add up to': `
    select s.name from counter_shift s left join (
      select a.shift, e.amount from assessment a join payment_event e on e.assessment = a.name and e.channel = 'cash' and e.refund is null
      union all select f.shift, e.amount from refund f join payment_event e on e.refund = f.name) e on e.shift = s.name
    group by s.name having s.cash_collected <> coalesce(sum(e.amount), 0) or s.expected_cash <> s.opening_float + s.cash_collected`,
  'cash is in the count of a shift, or flagged': `
    select distinct e.intent from payment_event e join assessment a on a.name = e.assessment
    where e.channel = 'cash' and e.kind = 'payment' and a.shift is null
      and not exists (select from anomaly n where n.kind = 'cash_outside_shift' and n.subject = e.intent)`,
  'a variance is counted less expected, has a reason, and is flagged where it is material': `
    select s.name from counter_shift s where s.status = 'Closed' and (s.variance <> s.cash_counted - s.expected_cash or (s.variance <> 0 and coalesce(s.variance_reason, '') = '')
      or (s.currency = 'UGX' and abs(s.variance) > greatest(10000, s.expected_cash / 100)) <> exists (select from anomaly n where n.kind = 'cash_variance' and n.subject = s.name))`,
  'a link opens at most one session, while it is good': `
    select m.id from magic_link m left join session s on s.magic_link = m.id group by m.id, m.consumed_at, m.expires_at
    having count(s.id) > 1 or bool_or(s.created_at >= m.expires_at) or bool_or(s.id is not null and m.consumed_at is null)`,
  'each intent that was Confirmed since there are receipts has one, Void where its payment is reversed, and no other has one': `
    select i.name from payment_intent i left join receipt r on r.intent = i.name
    cross join lateral (select coalesce(bool_or(e.kind = 'reversal') and (sum(e.amount) = 0 or bool_or(e.kind = 'reversal' and e.refund is null)), false) as reversed
      from payment_event e where e.intent = i.name) v
    where (i.status <> 'Confirmed' and r.name is not null) or (i.confirmed_at >= (select min(created_at) from signing_key where use = 'receipt')
      and (r.name is null or (r.status = 'Void') <> v.reversed))`,
  'no transaction is in two books': `
    select m.provider, m.txn_id from money_received m join payment_intent i on i.aggregator = m.provider and i.aggregator_reference = m.txn_id
    where i.status = 'Confirmed'`,
  'a reference is Issued only while its assessment can be paid, and Paid by an intent of it': `
    select p.number from payment_reference p join assessment a on a.name = p.assessment left join payment_intent i on i.name = p.paid_by
    where (p.status = 'Issued' and a.status <> 'Assessed') or (p.status = 'Paid' and (i.status is distinct from 'Confirmed' or i.assessment <> a.name))`,
  'docnames are well formed': `
    select name from assessment where name !~ '^ASMT-\\d{4}-(0[1-9]|1[0-2])-\\d{6,}$' union all
    select name from payment_intent where name !~ '^PI-\\d{4}-(0[1-9]|1[0-2])-\\d{6,}$' union all
    select name from counter_shift where name !~ '^SHIFT-\\d{4}-\\d\\d-\\d\\d-\\d{3,}$'`,
};

export function expectInvariants(rail: TestRail): Promise<void> {
  return expectInvariantsOf((query) => rail.query<unknown>(query));
}

type Ask = (query: string) => Promise<readonly unknown[]>;

/** The same of a database that is asked in another way. */
export async function expectInvariantsOf(ask: Ask): Promise<void> {
  expect(await findBroken(ask)).toEqual([]);
}

/** The invariants that do not hold, each with the first rows that break it. */
export async function findBroken(ask: Ask): Promise<string[]> {
  const broken: string[] = [];
  for (const [promise, query] of Object.entries(INVARIANTS)) {
    const rows = await ask(query);
    if (rows.length > 0) broken.push(`${promise}: ${rows.length} times not, as ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return broken;
}
