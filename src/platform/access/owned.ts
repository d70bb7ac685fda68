import { type Sql, sql } from '../database/sql.ts';
import { coversAll } from './grants.ts';
import { type Viewer, ownerOf } from './viewer.ts';

/** The condition under which a viewer sees a row of `r`: an integrator sees its own, the rail itself sees all. */
export function whereVisible(viewer: Viewer): Sql {
  const owner = ownerOf(viewer);
  return owner === null ? sql`true` : sql`r.integrator = ${owner}`;
}

/** The condition under which a viewer supervises the agency in a column. */
export function whereSupervised({ supervises }: Viewer, mda: Sql): Sql {
  return coversAll(supervises) ? sql`true` : sql`${mda} = any(${[...supervises]})`;
}
