import type { RawCallback } from '../../../adapters/payment/port.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { type Biller, servesMoney } from '../../../platform/config/billers.ts';
import { formatDay } from '../../../kernel/time.ts';
import { raiseAnomalies } from '../../anomalies/raise.ts';
import { readInitials } from '../../citizens/find.ts';
import { type Payable, findPayable } from '../../references/find.ts';
import { type ReferenceStatus, referenceStatusOf } from '../../references/lifecycle.ts';
import { admitSigned } from '../signature.ts';
import { parseLookup } from './message.ts';

/** Answer to a payment point about a reference, including the part that shows the debt. */
export interface BillerLookup {
  readonly state: 'payable' | 'paid' | 'expired' | 'withdrawn' | 'unknown';
  readonly reference: Payable | null;
  readonly payerInitials: string | null;
}

const STATES: Readonly<Record<ReferenceStatus, BillerLookup['state']>> = {
  Issued: 'payable',
  Paid: 'paid',
  Expired: 'expired',
  Withdrawn: 'withdrawn',
};

/** A message of a payment point, as it came. */
export interface BillerInput extends RawCallback {
  readonly provider: string;
}

/** The payment point of a name that speaks a form; null where there is none. */
export function findBiller({ config }: Call, name: string, form: Biller['form'] = 'rail'): Biller | null {
  return config.billers.find((biller) => biller.name === name && biller.form === form) ?? null;
}

/** Tells a payment point what a reference stands for. One that guesses is stopped, and flagged. */
export async function lookUpForBiller(caller: Call, { provider, ...raw }: BillerInput): Promise<BillerLookup> {
  const biller = findBiller(caller, provider);
  const { message } = await admitSigned(caller, biller?.secrets ?? null, raw, parseLookup);
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  const reference = await call.rail.limits.countMisses(
    { of: 'biller', who: provider },
    () => findServed(call, biller!, message.reference),
    () => flagProbing(call, provider),
  );
  if (!reference) return { state: 'unknown', reference: null, payerInitials: null };
  return {
    state: STATES[referenceStatusOf(reference, call.now())],
    reference,
    payerInitials: await readInitials(call, reference.citizen),
  };
}

/** The reference of a number, if the payment point collects for its agencies in its currency. */
export async function findServed(call: Call, biller: Biller, number: string): Promise<Payable | null> {
  const reference = await findPayable(call, number);
  return reference && servesMoney(biller, reference) ? reference : null;
}

/** Raises, once a day, that a payment point asks for references that there are not. */
export async function flagProbing(call: Call, provider: string): Promise<void> {
  const day = formatDay(call.now());
  const finding = {
    kind: 'reference_probing',
    subject: `${provider}:${day}`,
    mdas: [],
    evidence: { provider },
  } as const;
  await commit(call, { subject: null, guard: always, steps: await raiseAnomalies(call, always, [finding]) });
}
