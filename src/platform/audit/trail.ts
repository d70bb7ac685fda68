import type { Logger } from 'pino';
import { isPartitionMissing } from '../database/errors.ts';
import { type Step, statement, step } from '../change/step.ts';
import { type Database, json, sql } from '../database/sql.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { Groups } from './groups.ts';
import { maskRefusal } from './masked.ts';
import type { StoredEntry } from './stored.ts';

export interface AuditEntry {
  /**
   * One a request, with any outcome: of two entries under one id the first that was written stays the only one.
   */
  readonly id: string;
  readonly ts: Date;
  readonly requestId: string;
  readonly httpStatus: number;
  /** Method and route template, never the address that was called: that one can carry personal data. */
  readonly endpoint: string;
  readonly viewer: Viewer;
  /** The docname of what it is about, where it is about one record. */
  readonly object?: string | null;
  /** Response to the caller, if the request was refused. */
  readonly refusal?: Refusal | null;
}

/** Further writes of a group: steps over its requests that were not refused, each with `integrator`, `key` and `ts`. */
export type AlsoWritten = (uses: Step) => readonly Step[];

/** Days for which entries are at hand; older ones are in the archive. */
export const HOT_DAYS = 90;

export const AUDIT_EVENTS = ['api.auth.granted', 'api.auth.denied', 'api.handler.error'] as const;

export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** The audit event of an answer, by its status. */
function eventOf(httpStatus: number): AuditEvent {
  if (httpStatus >= 500) return 'api.handler.error';
  return httpStatus === 401 || httpStatus === 403 ? 'api.auth.denied' : 'api.auth.granted';
}

function rowOf({ id, ts, requestId, httpStatus, endpoint, viewer, object = null, refusal = null }: AuditEntry) {
  const { integrator, key, actor } = viewer;
  return {
    id,
    ts,
    request_id: requestId,
    http_status: httpStatus,
    endpoint,
    event: eventOf(httpStatus),
    integrator,
    key,
    actor,
    object,
    // For its account alone, which asked: nobody else reads it.
    refusal: refusal && integrator !== null ? maskRefusal(refusal) : null,
  };
}

/** Writes one row a request, in groups: rows that arrive during one insert go with the next. */
export class AuditTrail {
  readonly #groups: Groups<StoredEntry>;

  constructor(db: Database, log: Logger, also: AlsoWritten) {
    this.#groups = new Groups(
      {
        write: (rows) => db.rows(writeGroup(rows, also)),
        mend: (error, rows) => makeMonths(db, error, rows),
        failure: 'audit rows could not be written',
      },
      log,
    );
  }

  /**
   * Takes the row of a request that is answered whether the row can be written now or not; usually it is within 100 ms.
   */
  note(entry: AuditEntry): void {
    this.#groups.note(rowOf(entry));
  }

  /**
   * Takes a row, and waits until it is durable. Where it could not be written the row is forgotten: something else is
   * answered then, and that is to be noted under the same id, since the database may have taken this one all the same.
   */
  record(entry: AuditEntry): Promise<void> {
    return this.#groups.record(rowOf(entry));
  }

  /** Writes what is waiting; at shutdown. What cannot be written even then is in the log. */
  flush(): Promise<void> {
    return this.#groups.flush();
  }
}

/** A job makes the months in advance; this is for when none has run. */
async function makeMonths(db: Database, error: unknown, rows: readonly StoredEntry[]): Promise<boolean> {
  if (!isPartitionMissing(error)) return false;
  const months = [...new Set(rows.map(({ ts }) => `${ts.toISOString().slice(0, 7)}-01T00:00:00Z`))];
  await db.rows(sql`select ensure_audit_partition(month) from unnest(${months}::timestamptz[]) month`);
  return true;
}

/** Rows carry ids of their own, so that a group whose answer was lost can be sent again. */
function writeGroup(rows: readonly StoredEntry[], also: AlsoWritten) {
  const logged = step('logged')`
    insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor, object, refusal)
    select id, ts, request_id, http_status, endpoint, event, integrator, key, actor, object, refusal
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as e (id uuid, ts timestamptz, request_id text, http_status int, endpoint text, event text, integrator text,
        key text, actor text, object text, refusal jsonb)
    -- The group was written, and the answer to that lost.
    on conflict do nothing returning integrator, key, ts, http_status, endpoint`;
  // Being refused with a key is no use of it.
  const uses = step('uses')`select integrator, key, ts, endpoint from ${logged} where http_status <> 401`;
  return statement(sql`select 1`, [logged, ...also(uses)]);
}
