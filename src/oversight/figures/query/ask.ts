import { createHash } from 'node:crypto';
import type { Call } from '../../../platform/call/call.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import type { TimeZone } from '../span.ts';
import { Answer, type FigureOrder, type Having, type Row } from './answer.ts';
import type { DimensionName } from './dimensions.ts';
import type { GroupName } from './groups.ts';
import { checkOrder, checkSlice, listShown } from './inputs.ts';
import { type Slice, checkNeeds } from './question.ts';
import { type AskedSpan, findDays } from './span.ts';

/** What a question costs to read, and each day of its span: ten points a millisecond, of a million payments in three years. */
export const PRICE = 10;
export const PRICE_A_DAY = 0.3;

/** How many groups a page has that is asked for without a number. */
export const USUAL_ROWS = 1_000;

export interface Asked {
  readonly by: readonly DimensionName[];
  readonly span?: AskedSpan | null | undefined;
  readonly slice?: Slice | null | undefined;
  readonly timeZone: TimeZone;
  readonly having: readonly Having[];
  readonly orderBy: readonly FigureOrder[];
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** A page of an answer. */
export interface FigurePage {
  readonly answer: Answer;
  readonly all: readonly Row[];
  readonly rows: readonly Row[];
  readonly cursors: { readonly begin: number; readonly of: (place: number) => string };
}

/** Answers a question within a slice of the caller's. */
export async function ask(
  call: Call,
  asked: Asked,
  slice: Slice,
  isSelected: (group: GroupName) => boolean,
): Promise<FigurePage> {
  const { by, timeZone, having, orderBy } = asked;
  checkNeeds(call, { by, slice });
  await checkSlice(call, slice);
  const days = await findDays(call, asked.span ?? null, timeZone, slice);
  const answer = new Answer(call, { ...days, timeZone, slice, by }, listShown(isSelected, asked));
  checkOrder(orderBy, answer.keys);
  const all = await answer.select(having, orderBy);
  const cursorOf = (place: number) => `${place}.${hashOf({ ...days, timeZone, slice, by, having, orderBy })}`;
  const begin = asked.after == null ? 0 : placeOf(asked.after, cursorOf);
  const rows = all.slice(begin, begin + (asked.first ?? USUAL_ROWS));
  return { answer, all, rows, cursors: { begin, of: cursorOf } };
}

/** What tells the cursors of one question from those of another. */
function hashOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
}

function placeOf(cursor: string, cursorOf: (place: number) => string): number {
  const place = Number(cursor.split('.')[0]);
  if (!Number.isSafeInteger(place) || place < 1 || cursor !== cursorOf(place))
    throw refuseValue('after', 'is no cursor of this question');
  return place;
}
