import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Viewer } from '../access/viewer.ts';
import { type Database, type Sql, json, sql } from '../database/sql.ts';
import { Groups } from './groups.ts';

/** From where citizens are seen, as the log of it says. */
export const ACCESS_PURPOSES = {
  registration: 'By the person who registered them, or entered them by hand.',
  confirmation: 'By the person who had them confirmed with the identity authority.',
  lookup: 'By a look-up of their NIN.',
  list: 'In a list of citizens, or a file of it.',
  record: 'By their docname, on their own.',
  assessment: 'Through an assessment of theirs.',
  consent: 'Through an event of consent.',
  log: 'Through an entry of this log.',
} as const;

export type AccessPurpose = keyof typeof ACCESS_PURPOSES;

/** One view of some citizens at once; none if the person shown is not in the registry. */
export interface CitizenAccesses {
  readonly citizens: readonly string[];
  readonly purpose: AccessPurpose;
  /** Purpose that the caller stated. */
  readonly statedPurpose: string | null;
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly at: Date;
}

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly citizens: readonly string[];
  readonly purpose: AccessPurpose;
  readonly stated_purpose: string | null;
  readonly caller: Viewer['kind'];
  readonly actor: string;
  readonly integrator: string | null;
  readonly credential: string | null;
  readonly request_id: string;
}

/**
 * Books who was shown which citizen: a row a citizen, in groups as the audit log is written. An answer does not wait
 * for it, as no answer to a read does.
 */
export class CitizenAccessLog {
  readonly #groups: Groups<Row>;

  constructor(db: Database, log: Logger) {
    this.#groups = new Groups(
      { write: (rows) => db.rows(writeGroup(rows)), failure: 'who saw citizens could not be written' },
      log,
    );
  }

  note({ citizens, purpose, statedPurpose, viewer, requestId, at }: CitizenAccesses): void {
    const { kind: caller, actor, integrator, key, session } = viewer;
    this.#groups.note({
      id: randomUUID(),
      at,
      citizens: [...new Set(citizens)],
      purpose,
      stated_purpose: statedPurpose,
      caller,
      actor,
      integrator,
      credential: key ?? session,
      request_id: requestId,
    });
  }

  /** Writes what is waiting; at shutdown. */
  flush(): Promise<void> {
    return this.#groups.flush();
  }
}

/** Ids are made of that of the group and the citizen, so that one whose answer was lost can be sent again. */
function writeGroup(rows: readonly Row[]): Sql {
  return sql`
    insert into citizen_access (id, at, citizen, purpose, stated_purpose, caller, actor, integrator, credential,
      request_id)
    select md5(e.id || coalesce(c.citizen, ''))::uuid, e.at, c.citizen, e.purpose, e.stated_purpose, e.caller, e.actor,
      e.integrator, e.credential, e.request_id
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as e (id text, at timestamptz, citizens jsonb, purpose text, stated_purpose text, caller text, actor text,
        integrator text, credential text, request_id text)
    left join lateral jsonb_array_elements_text(e.citizens) as c (citizen) on true
    -- The group was written, and the answer to that lost.
    on conflict do nothing`;
}
