import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../call/call.ts';
import { isConflict } from '../database/errors.ts';
import { type Sql, empty, json, raw, sql } from '../database/sql.ts';

/** A row of the timeline that `GET /v1/payment-intents/{name}/trace` shows. */
export interface TraceEntry {
  readonly kind: 'assessment.update' | 'payment_intent.update' | 'adapter.initiate' | 'adapter.verify' | 'payment_event.created';
  readonly assessment: string;
  readonly intent?: string;
  readonly summary: string;
  readonly doc?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Something that integrators are told: the state of an object after its change, and the place of that change among the object's. */
export interface Message {
  readonly type: string;
  readonly object: string;
  readonly sequence: number;
  readonly integrator: string | null;
  readonly payload: unknown;
}

/** What an operator did: the audit row says by whom and when. */
export interface Operated {
  /** Such as `integrator.suspend`. */
  readonly action: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

export interface Change {
  /** What this is a change of: its docname answers a repetition of the request. Null for what is only noted. */
  readonly subject: string | null;
  /**
   * The statement's common table expressions in order. The one named `changed` is the guard: it yields one row if, and only if,
   * the change happens. Those after it take their rows from it, so that they happen with it or not at all.
   */
  readonly steps: Readonly<Record<string, Sql>>;
  readonly trace?: readonly TraceEntry[];
  readonly messages?: readonly Message[];
  readonly operated?: Operated;
}

/**
 * Makes a change, its trace, its messages and its idempotency row in one statement, which cannot be cut in half and
 * holds its locks for one round trip. False: the guard found another state than the verb had read, and nothing happened.
 */
export async function commit(call: Call, change: Change): Promise<boolean> {
  const at = call.now();
  let statement = empty;
  for (const [name, step] of Object.entries(change.steps)) statement = sql`${statement}${identifier(name)} as (${step}), `;
  const whole = sql`
    with ${statement}
    ${traced(change.trace ?? [], call.viewer.actor, at)}
    ${told(change.messages ?? [], at)}
    ${operated(call, change.operated, at)}
    ${booked(call, change.subject)}
    outcome as (select exists (select from changed) as changed)
    select changed from outcome`;
  const row = await againOnConflict(() => call.db.row<{ changed: boolean }>(whole));
  return row!.changed;
}

const MOST_CONFLICTS = 3;

/** Sends a statement again that lost against another one: nothing of it was done. */
async function againOnConflict<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!isConflict(error) || tries === MOST_CONFLICTS) throw error;
      await sleep(Math.random() * 10 * 2 ** tries);
    }
  }
}

/** Notes adapter calls that changed nothing. */
export async function note(call: Call, trace: readonly TraceEntry[]): Promise<void> {
  await call.db.row(sql`
    with changed as (select 1), ${traced(trace, call.viewer.actor, call.now())} outcome as (select 1) select 1 from outcome`);
}

const MOST_TRIES = 20;

/**
 * Runs one try of a verb after another until one has an answer: a try that finds on its guard that someone was faster answers
 * undefined, and the next one reads again and answers for the state it finds.
 */
export async function untilSettled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  let conflict: unknown = null;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      const answer = await attempt();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!isConflict(error)) throw error;
      conflict = error;
    }
  }
  throw conflict ?? new Error(`No try of ${MOST_TRIES} found a state that stayed as it was`);
}

function identifier(name: string): Sql {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`${name} cannot name a step of a change`);
  return raw(name);
}

function traced(rows: readonly TraceEntry[], actor: string, at: Date): Sql {
  if (rows.length === 0) return empty;
  return sql`traced as (
    insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
    select t.assessment, t.intent, ${at}, t.kind, ${actor}, t.summary, t.doc, coalesce(t.detail, '{}') from changed, jsonb_to_recordset(${json(rows)}::jsonb)
      as t (assessment text, intent text, kind text, summary text, doc text, detail jsonb)
  ), `;
}

function told(messages: readonly Message[], at: Date): Sql {
  if (messages.length === 0) return empty;
  const rows = messages.map((message) => ({ id: randomUUID(), ...message }));
  return sql`told as (
    insert into outbox (id, type, object, sequence, integrator, payload, created_at)
    select m.id, m.type, m.object, m.sequence, m.integrator, m.payload, ${at} from changed, jsonb_to_recordset(${json(rows)}::jsonb)
      as m (id uuid, type text, object text, sequence int, integrator text, payload jsonb)
  ), `;
}

function operated({ viewer, requestId }: Call, done: Operated | undefined, at: Date): Sql {
  if (!done) return empty;
  const { action, subject, before, after, reason } = done;
  return sql`operated as (
    insert into operator_audit (at, actor, action, subject, before, after, reason, request_id)
    select ${at}, ${viewer.actor}, ${action}, ${subject}, ${before && json(before)}::jsonb, ${after && json(after)}::jsonb, ${reason}, ${requestId} from changed
  ), `;
}

/**
 * The step that books a change under the `Idempotency-Key` of its request, for each row of a relation. It runs into the primary key
 * where another request under the same key was faster, which undoes the whole statement.
 */
export function booked({ once, now }: Call, subject: string | null, relation: Sql = sql`changed`): Sql {
  if (!once || subject === null) return empty;
  return sql`booked as (
    insert into idempotency (principal, key, fingerprint, request_id, subject, created_at)
    select ${once.principal}, ${once.key}, ${once.fingerprint}, ${once.requestId}, ${subject}, ${now()} from ${relation}
  ), `;
}
