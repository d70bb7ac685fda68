import { type Sql, sql } from '../database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { covers, coversAll } from './grants.ts';
import { type Viewer, ownerOf } from './viewer.ts';

/** Refuses what is of an agency that lies beyond a viewer's wall. */
export function requireWithin({ agencies }: Viewer, mda: string): void {
  if (!covers(agencies, mda)) throw new Refusal('forbidden', say`You are not bound to the agency ${mda}`);
}

/** The wall around what belongs to an account or to an agency, in their column `agency`. */
export const OF_OWN_AGENCY: Wall = (agencies) => sql`r.agency = any(${agencies})`;

/** The relation of a row `r` to agencies: the condition under which it is a row of some of them. */
export type Wall = (agencies: Sql) => Sql;

/** The wall around rows that have an agency, in their column `mda`. */
export const BY_AGENCY: Wall = (agencies) => sql`r.mda = any(${agencies})`;

/** The wall around agencies themselves, where one is named to do something at it: anybody may look them up. */
export const IS_AGENCY: Wall = (agencies) => sql`r.name = any(${agencies})`;

/** The wall around what belongs to accounts, and to no agency: nobody who is bound to agencies sees any of it. */
export const OF_ACCOUNTS: Wall = () => sql`false`;

/**
 * The condition under which a viewer sees a row of `r`: an integrator sees its own, staff and the rail itself see all,
 * and who is bound to agencies those of them that are theirs.
 */
export function whereVisible(viewer: Viewer, wall: Wall): Sql {
  const owner = ownerOf(viewer);
  const owned = owner === null ? sql`true` : sql`r.integrator = ${owner}`;
  return isBound(viewer) ? sql`(${owned} and ${whereWithin(viewer, wall)})` : owned;
}

/** The condition under which a row of `r` lies within a viewer's wall, for any owner. */
export function whereWithin({ agencies }: Viewer, wall: Wall): Sql {
  return coversAll(agencies) ? sql`true` : wall(sql`${[...agencies]}::text[]`);
}

/** The condition under which a viewer supervises the agency in a column. */
export function whereSupervised({ supervises }: Viewer, mda: Sql): Sql {
  return coversAll(supervises) ? sql`true` : sql`${mda} = any(${[...supervises]})`;
}

/** True if a viewer sees the records of some agencies alone. */
export function isBound({ agencies }: Viewer): boolean {
  return !coversAll(agencies);
}

/** Parts of a shared record within a viewer's wall, such as lines of an assessment. */
export function partsWithin<Part extends { readonly mda: string }>(
  { agencies }: Viewer,
  parts: readonly Part[],
): Part[] {
  return parts.filter(({ mda }) => covers(agencies, mda));
}

/** Refuses an agency what is not its own alone: others have parts of it too. */
export function refuseShared(viewer: Viewer, parts: readonly { readonly mda: string }[]): void {
  if (viewer.kind === 'agency' && !isWholeWithin(viewer, parts))
    throw new Refusal('forbidden', 'Other agencies have lines in the assessment, too');
}

/** True if all parts of a shared record lie within a viewer's wall. */
export function isWholeWithin({ agencies }: Viewer, parts: readonly { readonly mda: string }[]): boolean {
  return parts.every(({ mda }) => covers(agencies, mda));
}
