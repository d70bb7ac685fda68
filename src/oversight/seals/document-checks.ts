import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';
import { compare, isoOf, other, otherTime, traced, within } from './compare.ts';

/** Time of the first key of receipts: earlier confirmations have no receipt, and seeded payments have no messages. */
const firstKey = sql`(select min(created_at) from signing_key where use = 'receipt')`;

/** Beginning of a finding about a stored message. */
const MESSAGE_DIFFERS = sql`'differs from its message to integrators in '`;

const payload = sql`o.payload`;

/** Checks of receipts, references, links, money, messages, claims and approvals against payments and one another. */
export const DOCUMENT_CHECKS: readonly Check[] = [
  [
    'receipt_missing',
    sql`select i.name as row, null::text as mda, 'is Confirmed, and has no receipt' as why from payment_intent i
      -- Processes of the version before confirm without one while an upgrade lasts.
      where i.status = 'Confirmed' and i.confirmed_at >= ${firstKey} + interval '1 day'
        and not exists (select from receipt r where r.intent = i.name and r.replaced_by is null)`,
  ],
  compare(
    'receipt_differs',
    sql`r.name`,
    sql`receipt r left join payment_intent i on i.name = r.intent left join assessment a on a.name = r.assessment
      left join signing_key k on k.kid = r.kid
      cross join lateral (select coalesce(bool_or(e.kind = 'reversal' and e.refund is null)
        or (bool_or(e.kind = 'reversal') and sum(e.amount) = 0), false) as reversed
        from payment_event e where e.intent = r.intent) v
      cross join lateral (select count(*) as printed from trace_row t
        where t.assessment = r.assessment and t.doc = r.name and t.detail ? 'copy') p`,
    {
      intent: sql`i.status is distinct from 'Confirmed'`,
      assessment: sql`r.assessment is distinct from i.assessment`,
      integrator: sql`r.integrator is distinct from i.integrator`,
      kid: sql`k.use is distinct from 'receipt'`,
      // Not by its key: it may be older, where the clock was set back, or what is made up was told after it.
      created_at: sql`r.created_at <> i.confirmed_at
        and not ${traced(sql`r.assessment`, sql`r.name`, within(sql`r.created_at`))}`,
      status: sql`(r.status = 'Void') <> (v.reversed or r.replaced_by is not null)`,
      voided_at: sql`(r.voided_at is null) <> (r.status = 'Issued')
        or (r.voided_at <> a.cancelled_at and not ${traced(sql`r.assessment`, sql`r.name`, within(sql`r.voided_at`))})`,
      replaced_by: sql`r.replaced_by is not null and not exists (
        select from receipt o where o.name = r.replaced_by and o.name <> r.name and o.intent = r.intent)`,
      copies: sql`r.copies <> p.printed`,
    },
  ),
  compare(
    'reference_differs',
    sql`p.number`,
    sql`payment_reference p left join assessment a on a.name = p.assessment left join payment_intent i on i.name = p.paid_by`,
    {
      assessment: sql`a.name is null`,
      integrator: sql`p.integrator is distinct from a.integrator`,
      amount: sql`p.amount <> a.total_amount`,
      currency: sql`p.currency <> a.currency`,
      status: sql`(p.status = 'Issued' and a.status <> 'Assessed') or (p.status = 'Paid') <> (p.paid_by is not null)`,
      paid_by: sql`p.paid_by is not null and (i.status is distinct from 'Confirmed' or i.assessment <> p.assessment)`,
      'its issue in the trace': sql`not ${traced(
        sql`p.assessment`,
        sql`p.number`,
        sql`${within(sql`p.created_at`)} and t.detail -> 'amount' = to_jsonb(p.amount)
        and t.detail ->> 'currency' = p.currency and t.detail ->> 'expires_at' = ${isoOf(sql`p.expires_at`)}`,
      )}`,
    },
  ),
  compare('link_differs', sql`l.name`, sql`payment_link l left join assessment a on a.name = l.assessment`, {
    assessment: sql`a.name is null`,
    integrator: sql`l.integrator is distinct from a.integrator`,
    status: sql`(l.status = 'Withdrawn') <> ${traced(sql`l.assessment`, sql`l.name`, sql`not t.detail ? 'expires_at'`)}`,
    'its creation in the trace': sql`not ${traced(
      sql`l.assessment`,
      sql`l.name`,
      sql`${within(sql`l.created_at`)} and t.detail -> 'channels' = to_jsonb(l.channels)
        and t.detail ->> 'expires_at' = ${isoOf(sql`l.expires_at`)}`,
    )}`,
  }),
  [
    'traced_document_missing',
    sql`select distinct t.doc as row, null::text as mda, 'the trace of ' || t.assessment || ' tells of it, and it is not there' as why
      from trace_row t where (t.kind = 'receipt.update' and not exists (select from receipt r where r.name = t.doc))
        or (t.kind = 'assessment.update' and t.detail ? 'expires_at'
          and not exists (select from payment_reference p where p.number = t.doc)
          and not exists (select from payment_link l where l.name = t.doc))`,
  ],
  compare(
    'money_differs',
    sql`m.name`,
    sql`money_received m left join payment_intent i on i.name = m.intent left join assessment a on a.name = m.assessment
      left join anomaly n on n.kind = 'money_unmatched' and n.subject = m.name
      left join outbox o on o.object = m.name and o.sequence = 1 and o.type = 'money_received.booked'
      cross join lateral (select coalesce(o.payload, n.evidence) as said) t`,
    {
      provider: other(sql`t.said`, 'provider', sql`m.provider`),
      txn_id: other(payload, 'txn_id', sql`m.txn_id`),
      kind: other(sql`t.said`, 'kind', sql`m.kind`),
      amount: other(sql`t.said`, 'amount', sql`m.amount`),
      currency: other(sql`t.said`, 'currency', sql`m.currency`),
      channel: other(sql`t.said`, 'channel', sql`m.channel`),
      reference: other(payload, 'reference', sql`m.reference`),
      intent: sql`m.intent is not null and (i.name is null or i.assessment is distinct from m.assessment)`,
      assessment: sql`(m.assessment is not null and a.name is null) or ${other(sql`t.said`, 'assessment', sql`m.assessment`)}`,
      received_at: otherTime(payload, 'received_at', sql`m.received_at`),
      created_at: otherTime(payload, 'created_at', sql`m.created_at`),
    },
  ),
  [
    'money_missing',
    sql`select n.subject as row, null::text as mda, n.name || ' tells of it, and it is not there' as why from anomaly n
      where n.kind = 'money_unmatched' and n.subject like 'MON-%'
        and not exists (select from money_received m where m.name = n.subject)`,
  ],
  [
    'money_in_two_books',
    sql`select m.name as row, null::text as mda, 'its transaction is that of ' || i.name || ', which is Confirmed' as why
      from money_received m join payment_intent i on i.aggregator = m.provider and i.aggregator_reference = m.txn_id
      where i.status = 'Confirmed'`,
  ],
  compare(
    'payer_message_differs',
    sql`m.name`,
    sql`payer_message m left join assessment a on a.name = m.assessment left join payment_intent i on i.name = m.intent
      left join receipt r on r.name = m.subject left join payment_reference p on p.number = m.subject
      left join money_received w on w.name = m.subject left join refund f on f.name = m.subject`,
    {
      citizen: sql`m.citizen is distinct from a.citizen`,
      intent: sql`m.intent is not null and i.assessment is distinct from m.assessment`,
      'subject or kind': sql`m.assessment is distinct from case m.kind when 'reference_issued' then p.assessment
        when 'unmatched' then w.assessment when 'refunded' then f.assessment when 'demand' then m.subject else r.assessment end or (m.kind = 'reversed' and r.status <> 'Void')`,
    },
  ),
  [
    'message_missing',
    sql`select d.name as row, null::text as mda, 'no ' || d.type || ' tells integrators of it' as why from (
        select i.name, 'payment_intent.confirmed' as type from payment_intent i
        where i.status = 'Confirmed' and i.confirmed_at >= ${firstKey}
        union all select name, 'receipt.issued' from receipt
        union all select name, 'receipt.voided' from receipt where status = 'Void') d
      where not exists (select from outbox o where o.object = d.name and o.type = d.type)`,
  ],
  [
    'message_in_vain',
    sql`select o.object as row, null::text as mda, o.type || ' tells integrators of it, and it is not so' as why
      from outbox o left join payment_intent i on i.name = o.object left join assessment a on a.name = o.object
        left join receipt r on r.name = o.object left join money_received m on m.name = o.object
        left join fiscal_document f on f.name = o.object
      where case o.type when 'payment_intent.confirmed' then i.status is distinct from 'Confirmed'
        when 'assessment.paid' then a.paid_at is null when 'assessment.overdue' then a.due_passed_at is null when 'assessment.cancelled' then a.status is distinct from 'Cancelled'
        when 'receipt.issued' then r.name is null when 'receipt.voided' then r.status is distinct from 'Void'
        when 'money_received.booked' then m.name is null when 'fiscal_document.issued' then f.name is null else false end`,
  ],
  compare(
    'intent_message_differs',
    sql`i.name`,
    sql`outbox o join payment_intent i on i.name = o.object where o.type = 'payment_intent.confirmed'`,
    {
      assessment: other(payload, 'assessment', sql`i.assessment`),
      integrator: sql`o.integrator is distinct from i.integrator`,
      amount: other(payload, 'amount', sql`i.amount`),
      tendered: other(payload, 'tendered', sql`i.tendered`),
      currency: other(payload, 'currency', sql`i.currency`),
      channel: other(payload, 'channel', sql`i.channel`),
      aggregator: other(payload, 'aggregator', sql`i.aggregator`),
      aggregator_reference: other(payload, 'aggregator_reference', sql`i.aggregator_reference`),
      initiated_at: otherTime(payload, 'initiated_at', sql`i.initiated_at`),
      confirmed_at: otherTime(payload, 'confirmed_at', sql`i.confirmed_at`),
      expires_at: otherTime(payload, 'expires_at', sql`i.expires_at`),
      created_at: otherTime(payload, 'created_at', sql`i.created_at`),
      'its state': sql`o.payload ->> 'status' <> 'Confirmed' or o.payload ->> 'name' <> i.name`,
    },
    MESSAGE_DIFFERS,
  ),
  compare(
    'assessment_message_differs',
    sql`a.name`,
    sql`outbox o join assessment a on a.name = o.object where o.type = 'assessment.paid' and o.payload ? 'lines'`,
    {
      citizen: other(payload, 'citizen', sql`a.citizen`),
      integrator: sql`o.integrator is distinct from a.integrator`,
      shift: other(payload, 'shift', sql`a.shift`),
      currency: other(payload, 'currency', sql`a.currency`),
      total_amount: other(payload, 'total_amount', sql`a.total_amount`),
      due_on: sql`o.payload ->> 'due_on' is distinct from a.due_on::text`,
      replaces: sql`o.payload ->> 'replaces' is distinct from a.replaces`,
      assessed_at: otherTime(payload, 'assessed_at', sql`a.assessed_at`),
      paid_at: otherTime(payload, 'paid_at', sql`a.paid_at`),
      created_at: otherTime(payload, 'created_at', sql`a.created_at`),
      cancelled_at: sql`(a.cancelled_at is null) <> (a.status <> 'Cancelled')`,
      'its state': sql`o.payload ->> 'status' <> 'Paid' or o.payload ->> 'name' <> a.name`,
      lines: sql`o.payload -> 'lines' is distinct from (
        select jsonb_agg(jsonb_build_object('idx', l.idx, 'service', l.service, 'service_name', l.service_name, 'mda', l.mda,
          'quantity', l.quantity, 'rate', l.rate, 'amount', l.amount) || jsonb_strip_nulls(jsonb_build_object(
          'category', l.category, 'base_amount', l.base_amount, 'stated_amount', l.stated_amount, 'period', l.period,
          'waived', nullif(l.waived, 0), 'exemption', l.exemption)) order by l.idx)
        from assessment_line l where l.assessment = a.name)`,
    },
    MESSAGE_DIFFERS,
  ),
  compare(
    'receipt_message_differs',
    sql`r.name`,
    sql`outbox o join receipt r on r.name = o.object where o.type in ('receipt.issued', 'receipt.voided')`,
    {
      integrator: sql`o.integrator is distinct from r.integrator`,
      payload: other(payload, 'payload', sql`r.payload`),
      signature: other(payload, 'signature', sql`r.signature`),
      kid: other(payload, 'kid', sql`r.kid`),
      code: other(payload, 'code', sql`r.code`),
      created_at: otherTime(payload, 'created_at', sql`r.created_at`),
      voided_at: sql`o.type = 'receipt.voided' and ${otherTime(payload, 'voided_at', sql`r.voided_at`)}`,
      replaced_by: sql`o.type = 'receipt.voided' and ${other(payload, 'replaced_by', sql`r.replaced_by`)}`,
    },
    MESSAGE_DIFFERS,
  ),
  [
    'approval_differs',
    sql`select a.name as row, null::text as mda, case
        when a.status <> 'Pending' and (a.decided_by is null or a.decided_at is null) then 'was decided, and by nobody'
        when a.status = 'Pending' and (a.decided_by is not null or a.decided_at is not null) then 'waits, and was decided'
        else 'was approved by who asked for it, or by who it is about' end as why
      from approval a
      where (a.status = 'Pending') <> (a.decided_by is null) or (a.decided_by is null) <> (a.decided_at is null)
        or (a.status = 'Approved' and (a.decided_by in (a.asked_by, a.asked_key_issued_by) or a.decided_by = any(a.about))
          and not exists (select from anomaly n where n.kind = 'approved_alone' and n.subject = a.name))`,
  ],
  [
    'claim_lost',
    sql`select a.name as row, null::text as mda, 'is the approval of ' || a.subject || ', which neither waits nor was recorded' as why
      from approval a cross join lateral (select split_part(a.subject, ':', 1) as provider,
        substr(a.subject, strpos(a.subject, ':') + 1) as txn_id) s
      where a.kind = 'claim' and a.status = 'Approved'
        and not exists (select from payment_claim c where c.provider = s.provider and c.txn_id = s.txn_id)
        and not exists (select from money_received m where m.provider = s.provider and m.txn_id = s.txn_id)
        and not exists (select from payment_intent i where i.aggregator = s.provider and i.aggregator_reference = s.txn_id)`,
  ],
];
