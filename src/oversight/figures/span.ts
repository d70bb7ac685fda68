import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';

/** Days that a question is about, both included; null: from the beginning, or up to now. */
export interface Span {
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** A span as it was asked for, unless it ends before it begins. */
export function checkSpan({ fromDate, toDate }: Span): { from: Date | null; to: Date | null } {
  if (fromDate && toDate && toDate < fromDate) throw refuseValue('toDate', 'must not be before fromDate');
  return { from: fromDate ?? null, to: toDate ?? null };
}

/** A span that has both ends: what is left out is the last 30 days up to today. */
export function closeSpan({ now }: Pick<Call, 'now'>, span: Span): { from: Date; to: Date } {
  const { from, to } = checkSpan(span);
  const last = to ?? dayOf(now());
  return { from: from ?? new Date(last.getTime() - 29 * DAY_MS), to: last };
}
