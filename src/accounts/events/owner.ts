import type { Viewer } from '../../platform/access/viewer.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

/**
 * The account under which operators get messages that belong to no integrator, such as those of counters. It is an
 * account like any other to the code that sends messages; nobody signs in to it, or gets mail, since it has no address.
 */
export const DEFAULT_ENDPOINT = 'COUNTERS-OFFICE';

/** Owner of endpoints and messages: an account, which operators are too, or an agency. */
export interface Owner {
  readonly integrator: string | null;
  readonly agency: string | null;
}

/** Owner that a viewer manages and fetches for. */
export function ownerOf({ kind, actor, integrator }: Viewer): Owner {
  if (kind === 'agency') return { integrator: null, agency: actor };
  return { integrator: integrator ?? DEFAULT_ENDPOINT, agency: null };
}

/** Refuses an agency that is not the caller: others' endpoints are not there. */
export function requireOwner({ viewer }: { readonly viewer: Viewer }, agency: string | null | undefined): void {
  if (agency != null && ownerOf(viewer).agency !== agency)
    throw new Refusal('not_found', say`The agency does not exist`);
}

/** The condition that a row of a table is a viewer's own, by its columns `integrator` and `agency`. */
export function whereOwn(viewer: Viewer, table: Sql = sql`r`): Sql {
  const { integrator, agency } = ownerOf(viewer);
  return agency === null ? sql`${table}.integrator = ${integrator}` : sql`${table}.agency = ${agency}`;
}
