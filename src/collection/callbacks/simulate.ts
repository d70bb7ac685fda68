import { randomUUID } from 'node:crypto';
import { AdapterFailure } from '../../adapters/failure.ts';
import type { Call } from '../../platform/call/call.ts';
import { requireSandbox } from '../../platform/call/sandbox.ts';
import { adapterOf } from '../payments/aggregator.ts';
import { expireNow } from '../payments/enquiries/expire.ts';
import { type PaymentIntent, getIntent } from '../payments/find.ts';
import { initiatePayment } from '../payments/initiate.ts';
import { refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { receiveCallback } from './receive.ts';

/** Outcomes of a payment of a sandbox, as its account asks for them. */
export const SIMULATIONS = {
  succeed: 'The aggregator reports that the collection is complete.',
  fail: 'The aggregator reports that the payer declined.',
  expire: 'The intent expires now.',
  lose_answer: 'The aggregator is asked to collect, and its answer is lost. Enquiries find the collection complete.',
  duplicate: 'The aggregator reports twice, in the same words, that the collection is complete.',
  late: 'The intent expires, and then the aggregator reports that the collection is complete.',
  other_amount: 'The aggregator reports that another amount was collected.',
} as const;

export type Simulation = keyof typeof SIMULATIONS;

/** A number of the stub whose first answer is lost. */
const LOSES_ANSWER = '+256700000002';

/**
 * Simulates an event from outside for one of the caller's payments: it sends callbacks to the rail itself. An intent
 * that is still Pending is initiated first.
 */
export async function simulate(caller: Call, name: string, simulation: Simulation): Promise<PaymentIntent> {
  requireSandbox(caller);
  // The simulation makes several changes: a repeated request finds their result.
  const call: Call = { ...caller, once: null };
  const intent = await getIntent(call, name);
  if (!Object.hasOwn(call.config.callbackSecrets, intent.aggregator) || !adapterOf(call, intent).stub)
    throw refuseValue('name', say`is collected by ${intent.aggregator}, which sends no callbacks of a sandbox`);
  if (simulation === 'lose_answer') await loseAnswer(call, name);
  else if (intent.status === 'Pending' && simulation !== 'expire') await initiatePayment(call, { name });
  if (simulation === 'expire' || simulation === 'late') await expireNow(call, name);
  const reports = callbacksOf(simulation, intent);
  for (const report of reports) await receiveCallback(call, report);
  return getIntent(call, name);
}

async function loseAnswer(call: Call, name: string): Promise<void> {
  try {
    await initiatePayment(call, { name, payerMsisdn: LOSES_ANSWER });
  } catch (error) {
    if (error instanceof AdapterFailure && error.kind === 'timeout') return;
    throw error;
  }
  throw refuseBecause('not_pending', `${name} was initiated before, and its answer was not lost`);
}

/** The callbacks that an aggregator sends for a simulation. */
function callbacksOf(simulation: Simulation, { name, aggregator, amount, currency }: PaymentIntent) {
  if (simulation === 'expire' || simulation === 'lose_answer') return [];
  const collected = simulation === 'other_amount' ? amount.plus(1) : amount;
  const event = {
    event_id: `simulated-${randomUUID()}`,
    intent: name,
    amount: collected.toNumber(),
    currency,
    ...(simulation === 'fail'
      ? { status: 'FAILED', reason: 'PAYER_DECLINED' }
      : { status: 'SUCCESSFUL', txn_id: `TXN-${name}` }),
  };
  const callback = { provider: aggregator, body: Buffer.from(JSON.stringify(event)), headers: {}, query: {} };
  return simulation === 'duplicate' ? [callback, callback] : [callback];
}
