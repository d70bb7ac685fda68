import type { Call } from '../../../../platform/call/call.ts';
import type { Change } from '../../../../platform/change/commit.ts';
import { type Step, guard } from '../../../../platform/change/step.ts';
import { empty, sql } from '../../../../platform/database/sql.ts';
import { type Decimal, requirePositive, sum } from '../../../../kernel/money.ts';
import { refuseBecause } from '../../../../kernel/refusal.ts';
import { getMoney } from '../../../money/find.ts';
import { insertOutcomes, readOutcomesOf } from '../../../money/outcomes.ts';
import { requireOpen } from './allocation.ts';

export interface Closing {
  readonly name: string;
  readonly as: 'transferred' | 'written_off';
  readonly amount: Decimal;
  readonly reason: string;
}

/** The change that closes money, while a relation has a row. */
export async function planClosing(call: Call, closing: Closing, held?: Step): Promise<Change> {
  const { name: money, as: kind, amount, reason } = closing;
  const { name, currency } = await getMoney(call, money);
  requirePositive('amount', amount, currency);
  const writtenOff = (await readOutcomesOf(call, name)).filter((one) => one.kind === 'written_off');
  const inAll = amount.plus(sum(writtenOff.map((one) => one.amount)));
  if (kind === 'written_off' && inAll.greaterThan(call.config.writeOffLimit))
    throw refuseBecause(
      'money_not_exact',
      `At most ${call.config.writeOffLimit} ${currency} of ${name} is written off in all`,
      'amount',
    );
  await requireOpen(call, { money, amount }, 'amount');
  const at = call.now();
  const changed = guard`
    select m.name from money_received m ${held ? sql`, ${held}` : empty} where m.name = ${name} for no key update of m`;
  const outcome = { money, kind, amount, intent: null, refund: null, reason, decidedBy: call.viewer.actor, at };
  return {
    subject: name,
    guard: changed,
    steps: [insertOutcomes(changed, [outcome])],
    operated: { action: 'money.close', subject: name, before: null, after: { as: kind, amount, currency }, reason },
  };
}
