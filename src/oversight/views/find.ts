import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

/** A page of figures that somebody keeps, and who gets it by mail. */
export interface SavedView extends Stored<'SavedView'> {
  readonly recipients: readonly string[];
}

/** The views that the caller owns or gets by mail, by name. */
export function listViews(call: Call): Promise<SavedView[]> {
  return call.db.rows<SavedView>(sql`${viewsOf(call)} order by lower(r.name), r.id`);
}

/** One of these; null where there is none. */
export function findView(call: Call, id: string): Promise<SavedView | null> {
  return call.db.row<SavedView>(sql`${viewsOf(call)} and r.id::text = ${id}`);
}

export async function getView(call: Call, id: string): Promise<SavedView> {
  const view = await findView(call, id);
  if (!view) throw refuseView();
  return view;
}

export function refuseView(): Refusal {
  return new Refusal('not_found', say`There is no such saved view`);
}

function viewsOf({ viewer: { actor } }: Call): Sql {
  return sql`
    select ${columnsOf('SavedView')},
      array(select m.staff from saved_view_recipient m where m.view = r.id order by m.staff) as recipients
    from saved_view r
    where (r.owner = ${actor} or r.id in (select m.view from saved_view_recipient m where m.staff = ${actor}))`;
}
