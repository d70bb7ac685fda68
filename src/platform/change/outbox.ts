import { randomUUID } from 'node:crypto';
import { type Sql, empty, json, sql } from '../database/sql.ts';
import { type Step, step } from './step.ts';

/**
 * Something that integrators are told: the state of an object after its change, and the place of that change among the
 * object's.
 */
export interface Message {
  readonly type: string;
  readonly object: string;
  readonly sequence: number;
  readonly integrator: string | null;
  /** The agency that gets it too, even if an account made what it is about. */
  readonly agency?: string | null;
  readonly payload: unknown;
}

/**
 * Something that is written with the row of its `name` where a guard yields several; with the only one where nothing is
 * said.
 */
export type Of<Written> = Written & { readonly of?: string };

/** The condition under which what is written, in a relation's column, belongs to the row `c` of the guard. */
export function whereOf(written: readonly Of<unknown>[], column: Sql): Sql {
  return written.some(({ of }) => of !== undefined) ? sql`where ${column} = c.name` : empty;
}

interface Clock {
  now(): Date;
}

/** The step that queues messages with a change, where there are some. */
export function queueMessages({ now }: Clock, changed: Step, messages: readonly Of<Message>[]): Step[] {
  if (messages.length === 0) return [];
  const rows = messages.map((message) => ({ id: randomUUID(), ...message }));
  return [
    step('messages')`
    insert into outbox (id, type, object, sequence, integrator, agency, payload, created_at)
    select m.id, m.type, m.object, m.sequence, m.integrator, m.agency, m.payload, ${now()}
    from ${changed} c, jsonb_to_recordset(${json(rows)}::jsonb)
      as m (id uuid, of text, type text, object text, sequence int, integrator text, agency text, payload jsonb) ${whereOf(messages, sql`m.of`)}`,
  ];
}

/**
 * The step that queues one message for many: for each row of a step, which says to which `integrator` or `agency` and
 * under which `sequence`.
 */
export function queueForEach(
  { now }: Clock,
  recipients: Step,
  { type, object, payload }: Pick<Message, 'type' | 'object' | 'payload'>,
): Step {
  return step('told')`
    insert into outbox (id, type, object, sequence, integrator, agency, payload, created_at)
    select gen_random_uuid(), ${type}, ${object}, r.sequence, r.integrator, r.agency, ${json(payload)}::jsonb, ${now()}
    from ${recipients} r`;
}

/** Queues messages of a job that writes their records in the same transaction. */
export function queueOfJob(messages: readonly Message[], at: Date): Sql {
  const rows = messages.map((message) => ({ id: randomUUID(), ...message }));
  return sql`
    insert into outbox (id, type, object, sequence, integrator, agency, payload, created_at)
    select m.id, m.type, m.object, m.sequence, m.integrator, m.agency, m.payload, ${at}
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as m (id uuid, type text, object text, sequence int, integrator text, agency text, payload jsonb)`;
}

/** A message that waits in the queue. */
export interface Waiting {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * The step that takes messages out of the queue, each once, where another step yields a row: their integrators, and
 * what they are of.
 */
export function takeMessages(allowed: Step, waiting: readonly Waiting[]): Step {
  return step('taken')`
    delete from outbox_queue q using outbox o, ${allowed},
      unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ createdAt }) => createdAt)}::timestamptz[]) as w (id, created_at)
    where q.created_at = w.created_at and q.message = w.id and o.id = w.id
    returning o.id, o.integrator, o.agency, o.type, o.object, o.sequence`;
}
