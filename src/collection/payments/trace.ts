import { type Wall, isWholeWithin, whereWithin } from '../../platform/access/owned.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import type { TraceEntry } from '../../platform/change/commit.ts';
import { beginOf } from '../../platform/database/docnames.ts';
import { sql } from '../../platform/database/sql.ts';
import { type PaymentEvent, type PaymentIntent, eventsOf, getIntent } from './find.ts';

export interface TimelineRow {
  readonly at: Date;
  readonly kind: TraceEntry['kind'];
  readonly actor: string;
  readonly summary: string;
  readonly doc: string | null;
  readonly detail: unknown;
  /** The agency that it is about; null where it is about the whole. */
  readonly mda: string | null;
}

export interface PaymentTrace {
  readonly assessment: Assessment;
  readonly intent: PaymentIntent;
  readonly events: PaymentEvent[];
  readonly timeline: TimelineRow[];
}

/** Rows about an agency, such as a payment event, name it. */
const OF_THE_WHOLE_OR_AGENCY: Wall = (agencies) =>
  sql`(r.detail->>'mda' is null or r.detail->>'mda' = any(${agencies}))`;

/** All that happened to a payment intent and its assessment, in order. */
export async function tracePayment(call: Call, name: string): Promise<PaymentTrace> {
  const intent = await getIntent(call, name);
  const [assessment, events, timeline] = await Promise.all([
    getAssessment(call, intent.assessment),
    eventsOf(call, name),
    call.db.rows<TimelineRow>(sql`
      select r.at, r.kind, r.actor, r.summary, r.doc, r.detail, r.detail->>'mda' as mda from trace_row r
      where ${whereWithin(call.viewer, OF_THE_WHOLE_OR_AGENCY)} and r.assessment = ${intent.assessment} and at >= ${beginOf(intent.assessment)} and (intent is null or intent = ${name}) order by at, id`),
  ]);
  // A row says of how an agency stands, or of the whole, which has in it what the others get.
  const whole = isWholeWithin(call.viewer, [...intent.splits, ...assessment.lines]);
  const shown = (row: TimelineRow) => (whole || row.mda !== null ? row : { ...row, detail: {} });
  return { assessment, intent, events, timeline: timeline.map(shown) };
}
