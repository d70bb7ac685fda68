import type { Call } from '../../../platform/call/call.ts';
import { requireSandbox } from '../../../platform/call/sandbox.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { type Simulation, simulate } from '../../callbacks/simulate.ts';
import { type PayPage, getPayPage, isUnderWay } from './find.ts';

/** Has the payment under way of a sandbox end: nobody is asked to pay there. */
export async function simulateOutcome(call: Call, outcome: Extract<Simulation, 'succeed' | 'fail'>): Promise<PayPage> {
  requireSandbox(call);
  const { attempt, as } = await getPayPage(call);
  if (!isUnderWay(attempt, call.now())) throw refuseBecause('not_pending', 'No payment is under way', 'link');
  await simulate(as, attempt.name, outcome);
  return getPayPage(call);
}
