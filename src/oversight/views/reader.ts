import { mustEnrol } from '../../identity/sessions/authenticate.ts';
import { holdsSecondFactor } from '../../identity/staff/held.ts';
import { viewStaff } from '../../platform/access/viewer.ts';
import { type Call, callOf } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** A member of staff for whom a page is read while they are away. */
export interface Reader {
  readonly email: string;
  readonly roles: string[];
  readonly agencies: string[];
  readonly secondFactor: boolean;
}

/** Columns of a reader, a row `u` of `staff`. */
export const READER = sql`u.email, u.roles, u.agencies, ${holdsSecondFactor(sql`u.email`)} as "secondFactor"`;

/** A call with what a reader may see now. */
export function callAs(call: Call, reader: Reader, over = call.transport.over): Call {
  const viewer = viewStaff({ ...reader, id: '', mustEnrol: mustEnrol(call.config, reader) });
  return callOf(call.rail, viewer, call.requestId, { over });
}
