import type { Said } from '../../kernel/text/said.ts';
import { isConflict, retryOnConflict } from '../database/errors.ts';
import { type Database, json, sql } from '../database/sql.ts';
import { type Once, recordKey } from './idempotency.ts';
import { type Operated, type Operator, recordOperations } from './operation.ts';
import { type Message, type Of, queueMessages, whereOf } from './outbox.ts';
import { type Step, guard, statement, step } from './step.ts';

/** Author of a change, its request, and the signal to background work. */
export interface Committing extends Operator {
  readonly db: Database;
  readonly once: Once | null;
  readonly work: { note(): void };
}

/** A row of the timeline that `GET /v1/payment-intents/{name}/trace` shows. */
export interface TraceEntry {
  readonly kind:
    | 'assessment.update'
    | 'payment_intent.update'
    | 'adapter.initiate'
    | 'adapter.verify'
    | 'adapter.withdraw'
    | 'adapter.refund'
    | 'payment_event.created'
    | 'receipt.update';
  readonly assessment: string;
  readonly intent?: string;
  readonly summary: Said;
  readonly doc?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Messages to integrators with it: set by `transition`. */
  readonly messages?: readonly Message[];
}

export interface Change {
  /** Docname of the object of the change, which answers a repetition of the request. Null for a mere note. */
  readonly subject: string | null;
  /** Yields one row if, and only if, the change happens. */
  readonly guard: Step;
  /** Further writes that take their rows from the guard, so that they happen with the change or not at all. */
  readonly steps?: readonly Step[];
  readonly trace?: readonly TraceEntry[];
  /** Messages in addition to those of the trace. */
  readonly messages?: readonly Message[];
  /** Operators' actions by it. */
  readonly operated?: Operated | readonly Operated[];
}

/** Record of one of several objects that change together. */
export interface Part extends Pick<Change, 'trace' | 'messages'> {
  /** The `name` under which the guard yields it. */
  readonly name: string;
}

/**
 * Makes many changes of one kind in one statement: the guard yields the `name` of each that happens, and what is
 * written of it is written with it, and so are further steps. The names of those that happened.
 */
export async function commitEach(
  call: Committing,
  changed: Step,
  parts: readonly Part[],
  steps: readonly Step[] = [],
): Promise<ReadonlySet<string>> {
  const trace = parts.flatMap((part) => (part.trace ?? []).map((entry) => ({ of: part.name, ...entry })));
  const messages = parts.flatMap((part) =>
    messagesIn(part.trace, part.messages).map((message) => ({ of: part.name, ...message })),
  );
  const whole = statement(sql`select name from ${changed}`, [
    ...steps,
    ...insertTrace(call, changed, trace),
    ...queueMessages(call, changed, messages),
  ]);
  const rows = await send(call, (db) => db.rows<{ name: string }>(whole));
  if (rows.length > 0) call.work.note();
  return new Set(rows.map(({ name }) => name));
}

/** The guard of what is noted in any state. */
export const always = guard`select 1`;

/**
 * Makes a change, its trace, its messages and its idempotency row in one statement, which cannot be cut in half and
 * holds its locks for one round trip. False: the guard found another state than the verb had read, and nothing
 * happened.
 */
export async function commit(call: Committing, change: Change): Promise<boolean> {
  const { subject, guard: changed, steps = [], trace = [], messages = [], operated } = change;
  const others = [
    ...steps,
    ...insertTrace(call, changed, trace),
    ...queueMessages(call, changed, messagesIn(trace, messages)),
    ...recordOperations(call, changed, [operated ?? []].flat()),
    ...recordKey(call, changed, subject),
  ];
  const whole = statement(sql`select exists (select from ${changed}) as changed`, others);
  const row = await send(call, (db) => db.row<{ changed: boolean }>(whole));
  if (row!.changed) call.work.note();
  return row!.changed;
}

/** The messages of trace rows, and further ones. */
function messagesIn(trace: readonly TraceEntry[] = [], others: readonly Message[] = []): Message[] {
  return [...trace.flatMap((entry) => entry.messages ?? []), ...others];
}

/** Within a transaction all of it is sent again, by the one who began it: one that lost takes no more statements. */
function send<T>({ db }: Committing, statementOf: (db: Database) => Promise<T>): Promise<T> {
  return db.inTransaction ? statementOf(db) : retryOnConflict(() => statementOf(db));
}

/** Notes in timelines what changed nothing, such as a call to an adapter that failed. */
export async function noteTrace(call: Committing, trace: readonly TraceEntry[]): Promise<void> {
  await commit(call, { subject: null, guard: always, trace });
}

const MOST_TRIES = 20;

/**
 * Runs one try of a verb after another until one has an answer: a try that finds on its guard that someone was faster
 * answers undefined, and the next one reads again and answers for the state it finds.
 */
export async function retryUntilSettled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
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

function insertTrace({ viewer, now }: Committing, changed: Step, trace: readonly Of<TraceEntry>[]): Step[] {
  if (trace.length === 0) return [];
  const rows = trace.map(({ of, assessment, intent, kind, summary, doc, detail }) => ({
    of,
    assessment,
    intent,
    kind,
    summary: [summary.form, ...summary.values],
    doc,
    detail,
  }));
  return [
    step('traced')`
    insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
    select t.assessment, t.intent, ${now()}, t.kind, ${viewer.actor}, t.summary, t.doc, coalesce(t.detail, '{}')
    from ${changed} c, jsonb_to_recordset(${json(rows)}::jsonb)
      as t (of text, assessment text, intent text, kind text, summary jsonb, doc text, detail jsonb) ${whereOf(trace, sql`t.of`)}`,
  ];
}
