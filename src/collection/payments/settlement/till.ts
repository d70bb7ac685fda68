import { refuseChannel } from '../../../platform/access/bounds.ts';
import { covers } from '../../../platform/access/grants.ts';
import type { Assessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { refuseBeyondLimit } from './cash-limit.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { refuseBecause, forbidBecause } from '../../../kernel/refusal.ts';

/** Till for an assessment's cash. */
export interface Till {
  /**
   * The shift that counts it: the one that the assessment was taken in, or the caller's own; null where no shift does.
   */
  readonly shift: string | null;
  /** True if it is in no shift of the person who confirms it. */
  readonly outside: boolean;
}

interface ShiftRow {
  readonly name: string;
  readonly mda: string;
  readonly clerk: string;
  readonly status: string;
  readonly counted: boolean;
}

const shiftColumns = sql`name, mda, clerk, status, cardinality(counts) > 0 as counted`;

/**
 * Finds the till that cash for an assessment goes into. Only the holder of the cash can confirm that it arrived: in
 * live mode that is somebody with a counter, in an Open shift of their own at an agency of the assessment. A sandbox
 * takes anybody's word. None is taken for what is not to be paid, nor more than the agencies allow.
 */
export async function findTill(call: Call, assessment: Assessment): Promise<Till> {
  refuseChannel(call.viewer, 'cash');
  const shift = await findShift(call, assessment);
  if (call.config.mode === 'live') refuseStrangers(call, assessment, shift);
  if (shift !== null && !covers(call.viewer.agencies, shift.mda)) {
    throw forbidBecause('cash_in_other_shift', `${assessment.name} belongs to a shift at another agency`);
  }
  if (shift !== null && shift.status !== 'Open') {
    throw refuseBecause('shift_closed', `${shift.name} is ${shift.status}; cash can no longer be collected in it`);
  }
  if (shift?.counted)
    throw refuseBecause('shift_counted', `The cash of ${shift.name} has been counted; close it before you take more`);
  if (!allows(assessmentLifecycle.settle, assessment.status))
    throw refuseBecause('assessment_not_payable', `${assessment.name} is ${assessment.status}; take no cash for it`);
  await refuseBeyondLimit(call, assessment, shift?.name ?? null);
  if (shift === null) return { shift: null, outside: true };
  return { shift: shift.name, outside: shift.clerk !== call.viewer.actor };
}

/**
 * The shift that the assessment was taken in, or else the one that the caller opened last, of those that can count it.
 */
async function findShift(call: Call, { shift, lines, currency }: Assessment): Promise<ShiftRow | null> {
  if (shift !== null)
    return call.db.row<ShiftRow>(sql`select ${shiftColumns} from counter_shift where name = ${shift}`);
  const { actor, counters } = call.viewer;
  const agencies = [...new Set(lines.map(({ mda }) => mda))].filter((mda) => covers(counters, mda));
  if (agencies.length === 0) return null;
  return call.db.row<ShiftRow>(sql`
    select ${shiftColumns} from counter_shift
    where clerk = ${actor} and status = 'Open' and currency = ${currency} and mda = any(${agencies})
    order by opened_at desc, name desc limit 1`);
}

function refuseStrangers({ viewer }: Call, { name, lines }: Assessment, shift: ShiftRow | null): void {
  const agencies = new Set(lines.map(({ mda }) => mda));
  if (![...agencies].some((mda) => covers(viewer.counters, mda))) {
    const message =
      'Only staff at a counter, or a key that operators granted a counter of an agency of the assessment, can take cash';
    throw forbidBecause('cash_needs_counter', message, 'channel');
  }
  if (shift === null || !agencies.has(shift.mda) || !covers(viewer.counters, shift.mda)) {
    const seen = [...agencies].filter((mda) => covers(viewer.agencies, mda));
    throw forbidBecause(
      'cash_needs_shift',
      `Taking cash for ${name} requires an Open shift of yours at ${seen.join(' or ')}`,
      'channel',
    );
  }
  if (shift.clerk !== viewer.actor) {
    throw forbidBecause(
      'cash_in_other_shift',
      `${name} belongs to ${shift.name}, which is not your shift; whoever works it takes the cash`,
    );
  }
}
