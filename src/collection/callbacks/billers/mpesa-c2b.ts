import { c2bConfirmation, c2bValidation } from '../../../adapters/billers/mpesa-c2b.ts';
import { parseJson } from '../../../adapters/http/members.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { networkOf } from '../../../kernel/network.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { differenceOf } from '../../money/receive.ts';
import { referenceStatusOf } from '../../references/lifecycle.ts';
import { keepClaim } from '../claims/keep.ts';
import { check, requireJson } from '../event.ts';
import { findBiller, findServed, flagProbing } from './lookup.ts';

/** An answer in Safaricom's own words. */
export interface C2bAnswer {
  readonly resultCode: string;
  readonly resultDesc: string;
}

const ACCEPTED: C2bAnswer = { resultCode: '0', resultDesc: 'Accepted' };
const reject = (resultCode: string): C2bAnswer => ({ resultCode, resultDesc: 'Rejected' });
const INVALID_ACCOUNT = reject('C2B00012');
const INVALID_AMOUNT = reject('C2B00013');
const INVALID_SHORT_CODE = reject('C2B00015');
const OTHER_ERROR = reject('C2B00016');

interface C2bInput {
  readonly provider: string;
  readonly body: Buffer;
}

/** Tells M-Pesa whether to take a payment: the exact amount of a reference that can be paid, and nothing else. */
export async function validateC2bPayment(caller: Call, input: C2bInput): Promise<C2bAnswer> {
  const { provider, body } = input;
  const { biller, options } = await admitC2b(caller, provider);
  const { data: message } = c2bValidation.safeParse(parseJson(body.toString('utf8')));
  if (!message) return OTHER_ERROR;
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  if (message.shortCode !== options.shortCode) return INVALID_SHORT_CODE;
  // By network: nobody proves to be M-Pesa, and a stranger who guesses must not stop it.
  const who = `${provider}:${networkOf(call.transport.source.address)}`;
  const flag = () => flagProbing(call, provider);
  const reference = await call.rail.limits.countMisses(
    { of: 'biller', who },
    () => findServed(call, biller, message.reference),
    flag,
  );
  if (!reference || referenceStatusOf(reference, call.now()) !== 'Issued') return INVALID_ACCOUNT;
  const paid = { amount: message.amount, currency: 'KES' };
  // By number too: the payers of M-Pesa share its network, and mistype amounts.
  const accepted = await call.rail.limits.countMisses(
    { of: 'biller', who: `${who}:${reference.number}` },
    async () => (differenceOf(paid, reference) === null ? ACCEPTED : null),
    flag,
  );
  return accepted ?? INVALID_AMOUNT;
}

/** Takes a confirmation of M-Pesa, which nobody signs: it counts once M-Pesa is asked and says the same. */
export async function confirmC2bPayment(caller: Call, input: C2bInput): Promise<C2bAnswer> {
  await admitC2b(caller, input.provider);
  await keepClaim(caller, input.provider, check(c2bConfirmation, requireJson(input.body)));
  return ACCEPTED;
}

async function admitC2b(caller: Call, provider: string) {
  await caller.rail.limits.countAnonymous(caller.transport.source.address);
  const biller = findBiller(caller, provider, 'mpesa_c2b');
  if (biller?.enquiries?.form !== 'mpesa_c2b') throw new Refusal('not_found', 'The provider does not exist');
  return { biller, options: biller.enquiries };
}
