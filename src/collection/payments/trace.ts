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
}

export interface PaymentTrace {
  readonly assessment: Assessment;
  readonly intent: PaymentIntent;
  readonly events: PaymentEvent[];
  readonly timeline: TimelineRow[];
}

/** All that happened to a payment intent and its assessment, in order. */
export async function tracePayment(call: Call, name: string): Promise<PaymentTrace> {
  const intent = await getIntent(call, name);
  const [assessment, events, timeline] = await Promise.all([
    getAssessment(call, intent.assessment),
    eventsOf(call, name),
    call.db.rows<TimelineRow>(sql`
      select at, kind, actor, summary, doc, detail from trace_row
      where assessment = ${intent.assessment} and at >= ${beginOf(intent.assessment)} and (intent is null or intent = ${name}) order by at, id`),
  ]);
  return { assessment, intent, events, timeline };
}
