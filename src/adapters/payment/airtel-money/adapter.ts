import { createHmac } from 'node:crypto';
import { AdapterFailure } from '../../failure.ts';
import { readMember, parseJson, redactObject, readTextMember } from '../../http/members.ts';
import { Peer, type PeerAnswer } from '../../http/peer.ts';
import { Tokens } from '../../http/tokens.ts';
import { identifyBytes, isEqualText } from '../proof.ts';
import {
  type Collection,
  type CallbackPayload,
  type IgnoredCallback,
  type PaymentAdapter,
  type RawCallback,
  type ProviderStatus,
  type RefundOrder,
  type RefundStatus,
  onlyNext,
} from '../port.ts';
import type { ConnectionSettings } from '../provider.ts';
import type { AirtelMoneyOptions } from './options.ts';

/** Airtel's word on a transaction. What is ambiguous (TA) stays open until Airtel knows. */
const STATUSES: Readonly<Record<string, ProviderStatus['status']>> = {
  TS: 'SUCCESSFUL',
  TF: 'FAILED',
  TE: 'FAILED',
  TIP: 'PENDING',
  TA: 'PENDING',
};

/** Response codes of a collection that is under way, or done; all others leave open whether it is. */
const TAKEN = new Set(['DP00800001006', 'DP00800001001']);
/** Response codes of a collection that Airtel will not make. */
const REFUSED = new Set([
  'DP00800001002',
  'DP00800001003',
  'DP00800001004',
  'DP00800001005',
  'DP00800001007',
  'DP00800001008',
  'DP00800001010',
]);
const NOT_FOUND = 'DP00800001025';

const open = { txnId: null, amount: null, currency: null, settledAt: null, reason: null };

/**
 * Airtel Money collections. The transaction's ID is the intent's docname, under which Airtel collects at most once. If
 * the answer to a collection does not say whether it was accepted, Airtel is asked. Its enquiry names no amount: it
 * collects the amount that it was asked for, and its statement proves that.
 */
export function openAirtelMoney(
  options: AirtelMoneyOptions,
  { name, secrets, peer: reached }: ConnectionSettings,
): PaymentAdapter {
  const { client_id, client_secret, country, calling_code: callingCode } = options;
  const peer = new Peer(name, reached);
  const tokens = new Tokens(peer, {
    method: 'POST',
    path: '/auth/oauth2/token',
    json: { client_id, client_secret, grant_type: 'client_credentials' },
  });
  const market = (currency: string) => ({ 'x-country': country, 'x-currency': currency });

  const enquire = async ({ intent, reference, amount, currency, payerMsisdn }: Collection): Promise<ProviderStatus> => {
    if (reference === null) return { ...open, status: 'NOT_FOUND', response: {} };
    const path = `/standard/v1/payments/${encodeURIComponent(reference)}`;
    const answer = await tokens.authorised((bearer) =>
      peer.ask({
        method: 'GET',
        path,
        headers: { ...market(currency), ...bearer },
        safe: true,
        calledFor: { sender: null, number: payerMsisdn },
      }),
    );
    const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
    if (answer.status === 404 || codeOf(answer) === NOT_FOUND) return { ...open, status: 'NOT_FOUND', response };
    const status = STATUSES[readTextMember(answer.body, 'data', 'transaction', 'status') ?? ''];
    if (answer.status !== 200 || !status)
      throw peer.failure('failed', `did not say how the collection stands: ${answer.status} ${codeOf(answer)}`);
    const id = readTextMember(answer.body, 'data', 'transaction', 'id');
    if (id !== null && id !== intent) throw peer.failure('failed', 'answered for another collection');
    const done = status === 'SUCCESSFUL' ? { amount, currency } : { amount: null, currency: null };
    return { ...providerStatusOf(readMember(answer.body, 'data', 'transaction'), status), ...done, response };
  };

  /** It gives back the whole of a transaction, once: it may be asked again where its answer was lost. */
  const refund = async (order: RefundOrder, isRepeated: boolean): Promise<RefundStatus> => {
    const json = { transaction: { airtel_money_id: order.txnId } };
    const answer = await tokens.authorised((bearer) =>
      peer.ask({
        method: 'POST',
        path: '/standard/v1/payments/refund',
        headers: { ...market(order.currency), ...bearer },
        json,
        safe: false,
      }),
    );
    const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
    if (answer.status === 200 && readTextMember(answer.body, 'data', 'transaction', 'status') === 'SUCCESS') {
      const txnId = readTextMember(answer.body, 'data', 'transaction', 'airtel_money_id');
      return { status: 'SUCCESSFUL', txnId, reason: null, response };
    }
    if (answer.status !== 200)
      throw peer.failure('failed', `did not take the refund: ${answer.status} ${messageOf(answer)}`);
    // It does not say whether it made the refund before: somebody has to look it up.
    if (isRepeated) return { status: 'PENDING', txnId: null, reason: messageOf(answer), response };
    throw peer.failure('refused', `refused the refund: ${messageOf(answer)}`);
  };

  return {
    stub: false,
    get available() {
      return peer.available;
    },
    enquirable: true,
    needsPayer: true,
    reference: (intent) => intent,
    async initiate(collection) {
      const { intent, amount, currency, payerMsisdn, splits, sender } = collection;
      const json = {
        reference: intent,
        subscriber: { country, currency, msisdn: localNumber(payerMsisdn!, callingCode) },
        transaction: { amount: amount.toNumber(), country, currency, id: intent },
        splits: splits.map((share) => ({
          account: share.account,
          amount: share.amount.toNumber(),
          reference: share.mda,
        })),
      };
      const answer = await tokens.authorised((bearer) =>
        peer.ask({
          method: 'POST',
          path: '/merchant/v1/payments/',
          headers: { ...market(currency), ...bearer },
          json,
          safe: false,
          calledFor: { sender, number: payerMsisdn },
        }),
      );
      const code = codeOf(answer);
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      const taken = { reference: intent, nextAction: onlyNext('push'), request: redactObject(json), response };
      if (answer.status === 200 && TAKEN.has(code)) return taken;
      if (answer.status === 200 && REFUSED.has(code))
        throw peer.failure('refused', `refused the collection: ${messageOf(answer)}`);
      // A repetition of a collection that was taken before is turned down too.
      const unknown = (cause?: unknown) =>
        peer.failure('failed', `did not take the collection: ${answer.status} ${messageOf(answer)}`, { cause });
      const providerStatus = await enquire({ ...collection, reference: intent }).catch((error: unknown) => {
        // Even if the enquiry was not sent, the collection was.
        throw error instanceof AdapterFailure && !error.mayHaveDone ? unknown(error) : error;
      });
      if (providerStatus.status !== 'NOT_FOUND') return taken;
      throw unknown();
    },
    verify: enquire,
    refund: (order) => refund(order, false),
    verifyRefund: (order) => refund(order, true),
    parseCallback: (callback) => parseCallback(callback, secrets),
    close: () => peer.close(),
  };
}

function providerStatusOf(transaction: unknown, status: ProviderStatus['status']): Omit<ProviderStatus, 'response'> {
  return {
    ...open,
    status,
    txnId: readTextMember(transaction, 'airtel_money_id'),
    reason: status === 'FAILED' ? readTextMember(transaction, 'message') : null,
  };
}

/**
 * `{ "transaction": { "id", "message", "status_code", "airtel_money_id" }, "hash" }`, where the hash is the base64
 * HMAC-SHA256 of the body without it.
 */
function parseCallback({ body }: RawCallback, secrets: readonly string[]): CallbackPayload | IgnoredCallback | null {
  const said = parseJson(body.toString('utf8'));
  const transaction = readMember(said, 'transaction');
  const id = readTextMember(transaction, 'id');
  const hash = readTextMember(said, 'hash');
  if (id === null && hash === null) return null;
  const isOurs = hash !== null && isHashOf(body, hash, secrets);
  const proof = hash === null ? 'unsigned' : isOurs ? 'signed' : 'forged';
  if (id === null) return { ignored: true, proof };
  const status = STATUSES[readTextMember(transaction, 'status_code') ?? ''] ?? 'PENDING';
  return {
    eventId: identifyBytes(body),
    intent: null,
    reference: id,
    proof,
    claimed: { ...providerStatusOf(transaction, status), response: redactObject(said) },
  };
}

/** The member `hash` and the comma that parts it from others, as bytes may have it. */
const HASH = /,\s*"hash"\s*:\s*"(?:[^"\\]|\\.)*"|"hash"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?\s*/g;

/** True if a hash is that of the bytes as they came, less the member: written again as JSON they would be others. */
function isHashOf(body: Buffer, hash: string, secrets: readonly string[]): boolean {
  const text = body.toString('utf8');
  const members = [...text.matchAll(HASH)];
  // Objects in the body may have a member of that name too; its own is before or after all of them.
  return [members[0], members.at(-1)].some((member) => {
    if (!member) return false;
    const content = text.slice(0, member.index) + text.slice(member.index + member[0].length);
    return secrets.some((secret) => isEqualText(createHmac('sha256', secret).update(content).digest('base64'), hash));
  });
}

/** Airtel writes numbers without the country's code. */
function localNumber(msisdn: string, callingCode: string): string {
  const digits = msisdn.replace('+', '');
  return digits.startsWith(callingCode) ? digits.slice(callingCode.length) : digits;
}

function codeOf({ body }: PeerAnswer): string {
  return readTextMember(body, 'status', 'response_code') ?? readTextMember(body, 'status', 'result_code') ?? 'no code';
}

function messageOf(answer: PeerAnswer): string {
  return readTextMember(answer.body, 'status', 'message') ?? codeOf(answer);
}
