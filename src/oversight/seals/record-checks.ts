import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';
import { compare, other, otherTime, within } from './compare.ts';

const payload = sql`o.payload`;

/** The aggregator of a callback; what nobody signed is stored under a name of its own. */
const sender = sql`regexp_replace(c.provider, '^unsigned:', '')`;

/** True if a callback had money counted. */
const collected = sql`c.decision in ('confirmed', 'duplicate_collection', 'late_collection')`;

/** Checks of fiscal documents, callbacks, statements, shifts, notices and anomalies against their subjects. */
export const RECORD_CHECKS: readonly Check[] = [
  compare(
    'fiscal_document_differs',
    sql`f.name`,
    sql`fiscal_document f left join assessment a on a.name = f.assessment left join payment_event e on e.name = f.payment_event
      left join outbox o on o.object = f.name and o.type = 'fiscal_document.issued'`,
    {
      issuer: other(payload, 'issuer', sql`f.issuer`),
      number: other(payload, 'number', sql`f.number`),
      assessment: sql`a.name is null or ${other(payload, 'assessment', sql`f.assessment`)}`,
      payment_event: sql`f.payment_event is not null and e.assessment is distinct from f.assessment`,
      mda: sql`f.mda is distinct from e.mda`,
      integrator: sql`f.integrator is distinct from a.integrator`,
      url: other(payload, 'url', sql`f.url`),
      issued_at: otherTime(payload, 'issued_at', sql`f.issued_at`),
      created_at: otherTime(payload, 'created_at', sql`f.created_at`),
      'its message to integrators': sql`o.object is null or ${other(payload, 'payment_event', sql`f.payment_event`)}`,
    },
  ),
  compare(
    'callback_differs',
    sql`c.provider || ':' || c.event_id`,
    sql`inbound_callback c left join payment_intent i on i.name = c.intent where ${collected}`,
    {
      provider: sql`${sender} <> i.aggregator`,
      intent: sql`i.status is distinct from 'Confirmed'`,
      object: sql`c.object is not null`,
      received_at: sql`not (${within(sql`c.received_at - interval '1 minute'`, sql`i.confirmed_at`)})`,
    },
  ),
  [
    'callback_missing',
    sql`select i.name as row, null::text as mda, t.detail ->> 'source' || ' had it verified, and is not there' as why
      from trace_row t join payment_intent i on i.name = t.intent
      where t.kind = 'adapter.verify' and t.detail ->> 'source' like 'callback %' and i.status = 'Confirmed'
        and exists (select from trace_row e where e.assessment = t.assessment and e.intent = t.intent and e.at = t.at
          and e.kind = 'payment_event.created')
        and not exists (select from inbound_callback c
          where c.provider in (i.aggregator, 'unsigned:' || i.aggregator) and c.event_id = substr(t.detail ->> 'source', 10)
            and (c.intent is distinct from i.name or ${collected}))`,
  ],
  compare(
    'statement_differs',
    sql`r.name`,
    sql`reconciliation_run r left join operator_audit o on o.subject = r.name and o.action = 'reconciliation.run'
      left join reconciliation_run f on f.name = r.rerun_of cross join lateral (
        select count(*) as rows, coalesce(max(t.idx), 0) as last, count(*) filter (where outcome = 'matched') as matched,
          count(*) filter (where outcome = 'missing_here') as missing_here,
          count(*) filter (where outcome = 'missing_there') as missing_there,
          count(*) filter (where outcome = 'amount_differs') as amount_differs,
          count(*) filter (where outcome = 'duplicate') as duplicate
        from reconciliation_item t where t.run = r.name) n`,
    {
      'the number of its rows': sql`n.rows <> n.last`,
      matched: sql`r.matched <> n.matched`,
      missing_here: sql`r.missing_here <> n.missing_here`,
      missing_there: sql`r.missing_there <> n.missing_there`,
      amount_differs: sql`r.amount_differs <> n.amount_differs`,
      duplicate: sql`r.duplicate <> n.duplicate`,
      rerun_of: sql`r.rerun_of is not null
        and row(r.provider, r.from_at, r.to_at, r.source_hash) is distinct from row(f.provider, f.from_at, f.to_at, f.source_hash)`,
      provider: sql`o.after ->> 'provider' <> r.provider`,
      created_by: sql`o.actor <> r.created_by`,
      created_at: sql`not (${within(sql`r.created_at`, sql`o.at`)})`,
    },
  ),
  compare(
    'statement_row_differs',
    sql`t.name`,
    sql`reconciliation_item t left join reconciliation_run r on r.name = t.run left join payment_intent i on i.name = t.intent left join refund f on f.name = t.refund`,
    {
      run: sql`r.name is null`,
      idx: sql`t.name <> t.run || '.' || lpad(t.idx::text, 6, '0')`,
      intent: sql`t.intent is not null and i.aggregator is distinct from r.provider`,
      reference: sql`t.intent_status = 'Confirmed' and t.reference not in (i.name, i.aggregator_reference)`,
      outcome: sql`(t.outcome = 'matched' and row(t.statement_amount, coalesce(t.statement_currency, t.recorded_currency))
          is distinct from row(t.recorded_amount, t.recorded_currency))
        or (t.outcome = 'amount_differs' and row(t.statement_amount, coalesce(t.statement_currency, t.recorded_currency))
          is not distinct from row(t.recorded_amount, t.recorded_currency))`,
      refund: sql`t.refund is not null and (f.intent is distinct from t.intent
        or row(t.recorded_amount, t.recorded_currency) is distinct from row(-f.amount, f.currency))`,
      recorded: sql`t.intent_status = 'Confirmed'
        and row(t.recorded_amount, t.recorded_currency) is distinct from row(i.amount, i.currency)`,
    },
  ),
  compare(
    'counter_shift',
    sql`s.name`,
    sql`counter_shift s left join lateral (
        select o.actor, o.at, o.after, o.reason from operator_audit o where o.subject = s.name and o.action like 'variance.%'
        order by o.id desc limit 1) o on true cross join lateral (
        select coalesce(sum(e.amount) filter (where e.channel = 'cash'), 0) as cash,
          coalesce(sum(e.amount) filter (where e.channel <> 'cash'), 0) as other,
          count(distinct e.intent) filter (where e.kind = 'payment')
            - count(distinct e.intent) filter (where e.kind = 'reversal' and e.refund is null) as collections,
          bool_or(e.currency <> s.currency) as foreign
        from (
          select e.* from assessment a join payment_event e on e.assessment = a.name and e.refund is null where a.shift = s.name
          union all select e.* from refund f join payment_event e on e.refund = f.name where f.shift = s.name) e) n`,
    {
      cash_collected: sql`s.cash_collected <> n.cash`,
      non_cash_collected: sql`s.non_cash_collected <> n.other`,
      collection_count: sql`s.collection_count <> n.collections`,
      currency: sql`n.foreign`,
      opened_at: sql`s.opened_at <> s.created_at`,
      closed_at: sql`(s.closed_at is null) <> (s.status = 'Open')`,
      status: sql`(s.cash_counted is not null) <> (s.status = 'Closed')`,
      counts: sql`s.counts[1] <> s.cash_counted`,
      variance: sql`s.variance is distinct from s.cash_counted - s.opening_float - s.cash_collected`,
      variance_status: sql`(coalesce(s.variance, 0) = 0) <> (s.variance_status is null)
        or s.variance_status::text <> coalesce(o.after ->> 'variance_status', s.variance_status::text)`,
      variance_note: sql`o.reason is not null and s.variance_note is distinct from o.reason`,
      variance_decided_by: sql`o.actor <> s.variance_decided_by
        or (s.variance_decided_by is null) <> (coalesce(s.variance_status, 'Pending') = 'Pending')`,
      variance_decided_at: sql`(s.variance_decided_at is null) <> (s.variance_decided_by is null)
        or not (${within(sql`s.variance_decided_at`, sql`o.at`)})`,
    },
  ),
  [
    'counter_shift_missing',
    sql`select distinct a.shift as row, null::text as mda, a.name || ' was entered in it, and it is not there' as why
      from assessment a where a.shift is not null and not exists (select from counter_shift s where s.name = a.shift)`,
  ],
  compare(
    'exemption_differs',
    sql`e.name`,
    sql`exemption e left join approval a on a.kind = 'exemption' and a.subject = e.name and a.status = 'Approved'
      left join operator_audit o on o.subject = e.name and o.action = 'exemption.revoke'
      left join (select l.exemption, count(*) as times from assessment_line l join assessment s on s.name = l.assessment
        where l.exemption is not null and s.replaces is null group by l.exemption) u on u.exemption = e.name`,
    {
      'what was approved': sql`a.proposal - 'uses_left' is distinct from jsonb_strip_nulls(jsonb_build_object('citizen', e.citizen,
        'agency', e.mda, 'service', e.service, 'category', e.category, 'percent', trim_scale(e.percent)::text, 'ground', e.ground,
        'document_hash', e.document_hash, 'valid_from', e.valid_from, 'valid_to', e.valid_to))`,
      created_at: sql`(${within(sql`a.decided_at`, sql`e.created_at`)}) is not true`,
      uses_left: sql`to_jsonb(e.uses_left + coalesce(u.times, 0)) is distinct from a.proposal -> 'uses_left'`,
      status: sql`(e.status = 'Revoked') <> (o.at is not null)`,
      revoked_at: sql`(e.revoked_at is null) <> (o.at is null) or not (${within(sql`e.revoked_at`, sql`o.at`)})`,
      revoked_reason: sql`e.revoked_reason is distinct from o.reason`,
    },
  ),
  [
    'exemption_missing',
    sql`select a.subject as row, null::text as mda, a.name || ' approved it, and it is not there' as why from approval a
      where a.kind = 'exemption' and a.status = 'Approved' and not exists (select from exemption e where e.name = a.subject)`,
  ],
  compare('notice_differs', sql`p.name`, sql`propagation p left join assessment a on a.name = p.assessment`, {
    name: sql`p.name <> p.assessment || '.' || p.mda || case p.kind when 'payment' then '' else '.' || coalesce(p.refund, p.kind) end`,
    assessment: sql`a.paid_at is null`,
    mda: sql`not exists (select from assessment_line l where l.assessment = a.name and l.mda = p.mda)
      and not exists (select from payment_event e where e.assessment = a.name and e.mda = p.mda)`,
    kind: sql`p.kind = 'reversal' and p.refund is null and a.status <> 'Cancelled'`,
    refund: sql`p.refund is not null and not exists (select from refund f where f.name = p.refund and not f.booked
      and f.assessment = p.assessment and f.status = 'Done')`,
    status: sql`(p.done_at is null) <> (p.status <> 'done')`,
  }),
  [
    'anomaly_differs',
    sql`select o.subject as row, null::text as mda, case when n.name is null then 'was resolved, and is not there'
        else 'was resolved otherwise' end as why
      from (select distinct on (subject) subject, actor, at, reason from operator_audit where action = 'anomaly.resolve' and subject like 'ANOM-%'
        order by subject, id desc) o left join anomaly n on n.name = o.subject
      where n.name is null or (n.status = 'Resolved') <> (n.resolved_at is not null) or (n.resolved_at is not null
        and (n.resolved_by is distinct from o.actor or n.resolution is distinct from o.reason
          or not (${within(sql`n.resolved_at`, sql`o.at`)})))`,
  ],
];
