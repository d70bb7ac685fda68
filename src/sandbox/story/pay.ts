import { assess } from '../../collection/assessments/assess.ts';
import { createAssessment } from '../../collection/assessments/create.ts';
import type { LineInput } from '../../collection/assessments/lines/offers.ts';
import { confirmPayment } from '../../collection/payments/confirm.ts';
import { createPaymentIntent } from '../../collection/payments/create.ts';
import { initiatePayment } from '../../collection/payments/initiate.ts';
import { AdapterFailure } from '../../adapters/failure.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import type { Rail } from '../../platform/call/call.ts';
import { callAt, later } from './stage.ts';

/** End of a payment: by the last digits of the payer's number, which the sandbox's aggregators go by. */
export type Fate = 'paid' | 'declined' | 'forgotten' | 'other amount' | 'left';

const ENDINGS: Readonly<Record<Fate, string>> = {
  paid: '456',
  declined: '001',
  forgotten: '000',
  'other amount': '003',
  left: '456',
};

export interface Payment {
  readonly at: Date;
  readonly viewer: Viewer;
  readonly citizen: string;
  readonly lines: readonly LineInput[];
  readonly channel: Channel;
  readonly fate: Fate;
  readonly shift?: string;
  /** Seconds that the payer takes. */
  readonly seconds: number;
}

/** Takes a payment as far as it gets, step by step, each at its moment. */
export async function pay(rail: Rail, payment: Payment): Promise<{ assessment: string; intent: string | null }> {
  const { viewer, at, channel, fate, seconds } = payment;
  const { name: assessment } = await assessOnStage(rail, payment);
  if (fate === 'left') return { assessment, intent: null };
  const intent = await ask(rail, { viewer, at: later(at, 20), assessment, channel, fate });
  if (intent !== null && fate !== 'forgotten') await confirm(rail, viewer, later(at, 20 + seconds), intent);
  return { assessment, intent };
}

/** Assesses a debt. */
export async function assessOnStage(
  rail: Rail,
  { viewer, at, citizen, lines, shift }: Pick<Payment, 'viewer' | 'at' | 'citizen' | 'lines' | 'shift'>,
): Promise<{ name: string }> {
  const { name } = await createAssessment(callAt(rail, viewer, at), { citizen, lines, shift });
  return assess(callAt(rail, viewer, later(at, 4)), name);
}

interface Asked extends Pick<Payment, 'viewer' | 'at' | 'channel' | 'fate'> {
  readonly assessment: string;
}

/** Asks the payer; null where the aggregator could not be reached. */
export async function ask(rail: Rail, { viewer, at, assessment, channel, fate }: Asked): Promise<string | null> {
  const { name } = await createPaymentIntent(callAt(rail, viewer, at), { assessment, channel });
  const payerMsisdn = channel === 'cash' || channel === 'card' ? null : `+256772123${ENDINGS[fate]}`;
  try {
    await initiatePayment(callAt(rail, viewer, later(at, 2)), { name, payerMsisdn });
  } catch (error) {
    if (error instanceof AdapterFailure) return null;
    throw error;
  }
  return name;
}

/** Hears how it went. */
export function confirm(rail: Rail, viewer: Viewer, at: Date, intent: string): Promise<void> {
  return orRefused(confirmPayment(callAt(rail, viewer, at), intent));
}

/** Waits for what may be refused: that it is, is a part of the story. */
export async function orRefused(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
