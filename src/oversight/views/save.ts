import { randomUUID } from 'node:crypto';
import { refuseAllButStaff } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { type SavedView, getView, refuseView } from './find.ts';

export const DAYS = {
  fixed: 'The address names its days, which stay the same.',
  relative: 'The days move with the calendar.',
} as const;
export type ViewDays = keyof typeof DAYS;

/** Most views that somebody may keep. */
export const MOST_VIEWS = 50;

/** Pages of figures, in which nobody is named: not what an address only begins with, and becomes another once it is read. */
export function isOfFigures(address: string): boolean {
  const [path] = address.split(/[?#]/, 1);
  return /^\/(agency|oversight)(\/|$)/.test(path!) && new URL(address, 'http://page').pathname === path;
}

const NAMES_OF_DAYS = ['fromDate', 'toDate'] as const;

interface Named {
  readonly name: string;
  readonly address: string;
  readonly days: ViewDays | null | undefined;
}

/** Keeps a page of figures under a name. */
export async function saveView(call: Call, { name, address, days }: Named): Promise<SavedView> {
  if (call.viewer.kind !== 'staff') throw refuseAllButStaff();
  if (!isOfFigures(address)) throw refuseValue('address', say`must be that of a page of figures`);
  if (days === 'fixed' && daysOf(address) !== 'fixed')
    throw refuseValue('days', say`can only be fixed where the address names them`);
  const kept = days === 'relative' ? withoutDays(address) : address;
  const { actor } = call.viewer;
  const id = randomUUID();
  const saved = guard`
    insert into saved_view (id, owner, name, address, language, created_at, updated_at)
    select ${id}, ${actor}, ${name}, ${kept}, 'en', ${call.now()}, ${call.now()}
    where (select count(*) from saved_view where owner = ${actor}) < ${MOST_VIEWS}
    returning id`;
  if (!(await commit(call, { subject: id, guard: saved })))
    throw refuseValue('name', say`must not be of more than ${MOST_VIEWS} saved views`);
  return getView(call, id);
}

/** Calls one of the caller's views something else. */
export async function renameView(call: Call, { id, name }: { id: string; name: string }): Promise<SavedView> {
  const renamed = guard`
    update saved_view set name = ${name}, updated_at = ${call.now()}
    where id::text = ${id} and owner = ${call.viewer.actor} returning id`;
  if (!(await commit(call, { subject: id, guard: renamed }))) throw refuseView();
  return getView(call, id);
}

/** Keeps one of the caller's views no more: nobody gets it by mail any more. */
export async function deleteView(call: Call, id: string): Promise<true> {
  const deleted = guard`
    delete from saved_view where id::text = ${id} and owner = ${call.viewer.actor} returning id`;
  if (!(await commit(call, { subject: id, guard: deleted }))) throw refuseView();
  return true;
}

/** Kind of an address's days: fixed, or moving with the calendar. */
export function daysOf(address: string): ViewDays {
  const { searchParams } = new URL(address, 'http://page');
  return NAMES_OF_DAYS.every((name) => searchParams.get(name)) ? 'fixed' : 'relative';
}

function withoutDays(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://page');
  for (const name of NAMES_OF_DAYS) searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
}
