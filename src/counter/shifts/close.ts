import { type Finding, raiseAnomalies } from '../../collection/anomalies/raise.ts';
import { thresholdsOf } from '../../collection/anomalies/thresholds.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { type Decimal, requireExact, fitsJson } from '../../kernel/money.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { readText } from '../../kernel/text/free-text.ts';
import { changeShift } from './change.ts';
import { countShift, requireOwn } from './count.ts';
import { type Shift, getShift } from './find.ts';
import { shiftLifecycle } from './lifecycle.ts';
import { type Denomination, checkDenominations, isMaterial } from './variance.ts';
import { say } from '../../kernel/text/said.ts';

/** Most counts of one shift whose results are kept. */
const MOST_COUNTS = 50;

export interface Closing {
  readonly name: string;
  readonly cashCounted: Decimal;
  readonly denominations?: readonly Denomination[] | null | undefined;
  readonly varianceReason?: string | null | undefined;
  readonly closingNotes?: string | null | undefined;
  /** True if it closes with assessments that nobody paid; null: it does. */
  readonly leaveUnpaid?: boolean | null | undefined;
}

/**
 * Closes a shift on what it has collected up to this very moment: a collection that comes in between raises the shift's
 * revision, and the count is taken again. A variance needs a reason, and waits for a supervisor; a material one is
 * raised as an anomaly. The first count of the cash is kept even where the reason is missing, and is that of the shift:
 * nobody finds what is expected by trying.
 */
export function closeShift(call: Call, input: Closing): Promise<Shift> {
  const { name } = input;
  const reason = readText('varianceReason', input.varianceReason);
  const notes = readText('closingNotes', input.closingNotes);
  return retryUntilSettled(async () => {
    const { shift, count } = await countShift(call, name);
    requireOwn(call, shift);
    if (!allows(shiftLifecycle.close, shift.status))
      throw refuseBecause('shift_not_open', `${name} is ${shift.status}; only an Open shift can be closed`);
    if (input.leaveUnpaid === false) await refuseUnpaid(call, name);
    const cash = requireExact('cashCounted', input.cashCounted, shift.currency);
    if (!fitsJson(cash)) throw refuseValue('cashCounted', say`has too many digits`);
    if (input.denominations) checkDenominations(input.denominations, cash);
    const [first = cash] = shift.counts;
    const denominations = shift.counts.length > 0 ? shift.denominations : (input.denominations ?? null);
    const isNew = !shift.counts.at(-1)?.equals(cash) && shift.counts.length < MOST_COUNTS;
    const counted = sql`counts = ${isNew ? sql`counts || ${cash}::numeric` : sql`counts`},
      denominations = ${denominations && json(denominations)}::jsonb`;
    const expected = shift.openingFloat.plus(count.cash);
    const variance = first.minus(expected);
    if (!variance.isZero() && reason === null) {
      if (isNew && !(await commit(call, { subject: null, guard: changeShift(call, shift, counted) }))) return undefined;
      // Not by how much: the clerk counts blindly.
      throw refuseValue(
        'varianceReason',
        'is required: the cash counted differs from the cash expected',
        'variance_reason_required',
      );
    }

    const pending = variance.isZero() ? null : 'Pending';
    const changed = changeShift(
      call,
      shift,
      sql`
        status = ${shiftLifecycle.close.to}::shift_status, cash_collected = ${count.cash},
          non_cash_collected = ${count.other},
        collection_count = ${count.collections}, cash_counted = ${first}, ${counted}, variance = ${variance},
        variance_reason = ${reason}, variance_status = ${pending}::variance_status, closing_notes = ${notes},
          closed_at = ${call.now()}`,
    );
    const material = isMaterial(variance, expected, shift.currency, thresholdsOf(call.config).cash_variance);
    const steps = await raiseAnomalies(
      call,
      changed,
      material ? [cashVarianceFinding(shift, { expected, counted: first, variance })] : [],
    );
    return (await commit(call, { subject: name, guard: changed, steps })) ? getShift(call, name) : undefined;
  });
}

/** Refuses to close over what was entered, and neither paid nor cancelled: nobody takes cash for it afterwards. */
async function refuseUnpaid({ db }: Call, shift: string): Promise<void> {
  const row = await db.row<{ unpaid: number }>(sql`
    select count(*)::int as unpaid from assessment where shift = ${shift} and status in ('Draft', 'Assessed')`);
  const { unpaid } = row!;
  if (unpaid > 0) throw refuseBecause('unpaid_assessments', `${shift} has ${unpaid} unpaid assessments`, 'leaveUnpaid');
}

function cashVarianceFinding(
  { name, mda, clerk, currency }: Shift,
  figures: Readonly<Record<'expected' | 'counted' | 'variance', Decimal>>,
): Finding {
  return { kind: 'cash_variance', subject: name, mdas: [mda], evidence: { shift: name, clerk, currency, ...figures } };
}
