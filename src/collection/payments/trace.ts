import { type Wall, whereWithin } from '../../platform/access/owned.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import type { TraceEntry } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByOwner } from '../../platform/reading/batch.ts';
import { type PaymentEvent, type PaymentIntent, eventsOf, getIntent } from './find.ts';

export interface TimelineRow {
  readonly at: Date;
  readonly kind: TraceEntry['kind'];
  readonly actor: string;
  readonly summary: readonly [form: string, ...values: string[]];
  readonly doc: string | null;
  readonly detail: unknown;
}

export interface PaymentTrace {
  readonly assessment: Assessment;
  readonly intent: PaymentIntent;
  readonly events: readonly PaymentEvent[];
  readonly timeline: readonly TimelineRow[];
}

/** Rows about an agency, such as a payment event, name it. */
const OF_THE_WHOLE_OR_AGENCY: Wall = (agencies) =>
  sql`(r.detail->>'mda' is null or r.detail->>'mda' = any(${agencies}))`;

/** Rows about an agency, and those of the whole if no other agency has a part in it, which they would reveal. */
const TELLING_OF_NO_OTHER: Wall = (agencies) => sql`(r.detail->>'mda' is not null or not exists (
  select mda from assessment_line where assessment = i.assessment and mda <> all(${agencies})
  union all select mda from split_rule where intent = i.name and mda <> all(${agencies})))`;

/** All that happened to a payment intent that the caller sees, and to its assessment, in order. */
export const timelineOf: (call: Call, intent: string) => Promise<readonly TimelineRow[]> = loadByOwner<
  TimelineRow & { readonly of: string }
>(
  ({ of }) => of,
  ({ db, viewer }, intents) =>
    // Kept by months: nothing was written before the assessment, by clocks that differ by a day at most.
    db.rows(sql`
      select i.name as of, r.at, r.kind, r.actor, r.summary, r.doc,
        case when ${whereWithin(viewer, TELLING_OF_NO_OTHER)} then r.detail else '{}' end as detail
      from payment_intent i
      join assessment a on a.name = i.assessment
      join trace_row r on r.assessment = i.assessment and r.at >= a.created_at - interval '1 day'
        and (r.intent is null or r.intent = i.name)
      where i.name = any(${intents}) and ${whereWithin(viewer, OF_THE_WHOLE_OR_AGENCY)}
      order by r.at, r.id`),
);

/** All that happened to a payment intent and its assessment, in order. */
export async function tracePayment(call: Call, name: string): Promise<PaymentTrace> {
  const intent = await getIntent(call, name);
  const [assessment, events, timeline] = await Promise.all([
    getAssessment(call, intent.assessment),
    eventsOf(call, name),
    timelineOf(call, name),
  ]);
  return { assessment, intent, events, timeline };
}
