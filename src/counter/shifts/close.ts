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

export interface Closing {
  readonly name: string;
  readonly cashCounted: Decimal;
  readonly denominations?: readonly Denomination[] | null | undefined;
  readonly varianceReason?: string | null | undefined;
  readonly closingNotes?: string | null | undefined;
}

/**
 * Closes a shift on what it has collected up to this very moment: a collection that comes in between raises the shift's
 * revision, and the count is taken again. A variance needs a reason, and waits for a supervisor; a material one is
 * raised as an anomaly.
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
    const cash = requireExact('cashCounted', input.cashCounted, shift.currency);
    if (!fitsJson(cash)) throw refuseValue('cashCounted', 'has too many digits');
    if (input.denominations) checkDenominations(input.denominations, cash);
    const expected = shift.openingFloat.plus(count.cash);
    const variance = cash.minus(expected);
    // A blind count that is wrong must not become right by trying: the message does not say by how much.
    if (!variance.isZero() && reason === null)
      throw refuseValue(
        'varianceReason',
        'is required: the cash counted differs from the cash expected',
        'variance_reason_required',
      );

    const pending = variance.isZero() ? null : 'Pending';
    const changed = changeShift(
      call,
      shift,
      sql`
        status = ${shiftLifecycle.close.to}::shift_status, cash_collected = ${count.cash},
          non_cash_collected = ${count.other},
        collection_count = ${count.collections}, cash_counted = ${cash},
        denominations = ${input.denominations ? json(input.denominations) : null}::jsonb, variance = ${variance},
        variance_reason = ${reason}, variance_status = ${pending}::variance_status, closing_notes = ${notes},
          closed_at = ${call.now()}`,
    );
    const material = isMaterial(variance, expected, shift.currency, thresholdsOf(call.config).cash_variance);
    const steps = await raiseAnomalies(
      call,
      changed,
      material ? [cashVarianceFinding(shift, { expected, counted: cash, variance })] : [],
    );
    return (await commit(call, { subject: name, guard: changed, steps })) ? getShift(call, name) : undefined;
  });
}

function cashVarianceFinding(
  { name, mda, clerk, currency }: Shift,
  figures: Readonly<Record<'expected' | 'counted' | 'variance', Decimal>>,
): Finding {
  return { kind: 'cash_variance', subject: name, mdas: [mda], evidence: { shift: name, clerk, currency, ...figures } };
}
