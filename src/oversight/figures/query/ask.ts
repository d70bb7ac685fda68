import { createHash } from 'node:crypto';
import type { Call } from '../../../platform/call/call.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { DEFAULT_GROUPS } from '../../common/arguments.ts';
import type { Held } from '../held.ts';
import type { TimeZone } from '../../common/span.ts';
import { Answer, type FigureOrder, type Having, type Row, refusePeriods } from './answer.ts';
import type { DimensionName } from './dimensions.ts';
import type { GroupName } from './groups.ts';
import { checkOrder, checkSlice, listShown } from './inputs.ts';
import { checkNeeds } from './question.ts';
import type { Slice } from './slice.ts';
import { type AskedSpan, type Base, findDays } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

export interface Asked {
  readonly by: readonly DimensionName[];
  readonly span?: AskedSpan | null | undefined;
  readonly slice?: Slice | null | undefined;
  readonly timeZone?: TimeZone | null | undefined;
  readonly having: readonly Having[];
  readonly orderBy: readonly FigureOrder[];
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly including?: readonly Base[];
  readonly comparedDays?: { readonly fromDate: Date; readonly toDate: Date } | null | undefined;
}

/** A page of an answer. */
export interface FigurePage {
  readonly answer: Answer;
  readonly all: readonly Row[];
  readonly rows: readonly Row[];
  readonly cursors: { readonly begin: number; readonly of: (place: number) => string };
}

/** Answers a question within what is held for it. */
export async function ask(
  call: Call,
  asked: Asked,
  held: Held,
  isSelected: (group: GroupName) => boolean,
): Promise<FigurePage> {
  const { by, having, orderBy, including = [], comparedDays: compared } = asked;
  const timeZone = asked.timeZone ?? held.timeZone ?? 'country';
  const slice = held.slice ? { ...asked.slice, within: held.slice } : (asked.slice ?? {});
  if (compared && compared.toDate < compared.fromDate)
    throw refuseValue('comparedDays', say`must not end before it begins`);
  checkNeeds(call, { by, slice });
  await checkSlice(call, slice);
  const days = await findDays(call, asked.span ?? held.span ?? null, timeZone, slice);
  const comparedDays = compared ? { from: compared.fromDate, to: compared.toDate } : null;
  const question = { ...days, timeZone, slice, by, including, comparedDays };
  const answer = new Answer(call, question, listShown(isSelected, asked));
  if (including.length > 0) refusePeriods(answer, 'including');
  const all = await answer.select(having, checkOrder(orderBy, answer.keys));
  const hash = hashOf({ ...question, having, orderBy });
  const cursorOf = (place: number) => `${place}.${hash}`;
  const page = pageOf(asked, all.length, cursorOf);
  return { answer, all, rows: all.slice(page.begin, page.end), cursors: { begin: page.begin, of: cursorOf } };
}

/** Rows of a page: after a cursor, before another, and of those the first or the last. */
function pageOf({ first, last, after, before }: Asked, count: number, cursorOf: (place: number) => string) {
  if (first != null && last != null) throw refuseValue('last', say`cannot be combined with ${'first'}`);
  const begin = after == null ? 0 : placeOf('after', after, cursorOf);
  const end = before == null ? count : placeOf('before', before, cursorOf) - 1;
  if (last != null) return { begin: Math.max(begin, end - last), end };
  return { begin, end: Math.min(end, begin + (first ?? DEFAULT_GROUPS)) };
}

/** Hash that tells the cursors of one question from those of another. */
function hashOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
}

function placeOf(path: string, cursor: string, cursorOf: (place: number) => string): number {
  const place = Number(cursor.split('.')[0]);
  if (!Number.isSafeInteger(place) || place < 1 || cursor !== cursorOf(place))
    throw refuseValue(path, say`is no cursor of this question`);
  return place;
}
