import { type Database, sql } from '../../platform/database/sql.ts';

/** Actor of a step: the key's owner, or the clerk at the counter. */
const actor = sql`coalesce(integrator, clerk)`;

/** Writes the timeline of each case. */
export async function writeTraces(db: Database): Promise<void> {
  await db.rows(sql`
    insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
    select assessment, case when of_intent then intent end, t.at, kind, ${actor}, case when summary is null then jsonb_build_array('{0} → {1}', before, after) else jsonb_build_array(summary) end,
      case when kind = 'assessment.update' then assessment when kind = 'payment_intent.update' then intent end,
      jsonb_strip_nulls(jsonb_build_object('from', before, 'to', after)) || jsonb_build_object('currency', currency,
        'total_amount', amount)
    from history_case cross join lateral (values
      (true, false, at, 'assessment.update', null, 'Draft', 'Draft created'),
      (fate <> 'draft', false, at + interval '1 second', 'assessment.update', 'Draft', 'Assessed', null),
      (fate <> 'draft', true, at + interval '2 seconds', 'payment_intent.update', null, 'Pending',
        'Pending intent created'),
      (fate <> 'draft', true, at + interval '3 seconds', 'adapter.initiate', 'Pending', 'Sent', null),
      (fate in ('paid', 'reversed'), true, paid_at, 'payment_intent.update', 'Sent', 'Confirmed', null),
      (fate in ('paid', 'reversed') and n % 4 = 0, false, paid_at, 'assessment.update', 'Assessed', 'Paid', null),
      (fate in ('reversed', 'dropped'), false, paid_at + interval '2 hours', 'assessment.update',
        case fate when 'reversed' then 'Paid' else 'Assessed' end, 'Cancelled', null)
    ) t (happened, of_intent, at, kind, before, after, summary)
    where happened order by t.at`);
}
